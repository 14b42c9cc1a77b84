"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import { AlertsFlag } from "#components/shell/alerts-flag.tsx";
import { SignedOut } from "#components/shell/signed-out.tsx";
import { type AnswerOf, call, Refused } from "./call.ts";
import { useCaller } from "./provider.tsx";

type ReadPulse = typeof import("#app/api/dashboard/pulse/route.ts").GET;
export type Pulse = AnswerOf<ReadPulse>["data"];

const EVERY_MS = 5_000;

interface Reading {
  pulse: Pulse;
  /** The time of the last reading. It changes with each one. */
  at: number;
  isSignedOut: boolean;
}

const Readings = createContext<Reading | undefined>(undefined);

/** The pulse for a reader who may see nothing of the merchant. */
const NOTHING: Pulse = { sequence: 0, alerts: { count: 0, latest_id: null } };

/** Wraps a merchant's pages. Asks every five seconds whether anything changed, unless hidden, signed out or without `first`. */
export function PulseProvider({ first, children }: { first: Pulse | undefined; children: ReactNode }) {
  const caller = useCaller();
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ["pulse", caller.merchantId],
    queryFn: async () => (await call<ReadPulse>(caller, "GET", "/api/dashboard/pulse")).data,
    initialData: first,
    enabled: first !== undefined,
    staleTime: EVERY_MS,
    retry: false,
    refetchInterval: ({ state }) => (hasEnded(state.error) ? false : EVERY_MS),
    // A person may sign in in another tab and then come back to this one.
    refetchOnWindowFocus: "always",
  });
  return <Readings value={{ pulse: data ?? first ?? NOTHING, at: dataUpdatedAt, isSignedOut: hasEnded(error) }}>{children}</Readings>;
}

/** The refusals for a person without a session, or without a role in this business. */
const ENDED = new Set(["MISSING_CREDENTIALS", "RESOURCE_NOT_FOUND"]);
const hasEnded = (error: Error | null): boolean => error instanceof Refused && ENDED.has(error.code);

/** Returns the last reading. */
export function usePulse(): Reading {
  const reading = use(Readings);
  if (!reading) throw new Error("usePulse is used outside a PulseProvider");
  return reading;
}

/** The flag in the top bar: the number of alerts that need the reader. */
export function PulseFlag({ href }: { href: string }) {
  const { count, more } = usePulse().pulse.alerts;
  return <AlertsFlag count={count} hasMore={more === true} href={href} />;
}

/** Says that the session has ended. What was typed on the page stays. */
export const SessionEnd = () => (usePulse().isSignedOut ? <SignedOut /> : null);
