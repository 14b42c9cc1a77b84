"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Caller, Refused } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import type { Customer } from "#components/top-ups/customer-line.tsx";

/** The question is sent when nothing was typed for this long. */
const REST_MS = 400;
/** After this long without an answer, the page says that the person can pay without the name. */
const PATIENCE_MS = 4_000;

interface Named {
  customer_name: string;
  address: string | null;
  current_plan: string | null;
}

/**
 * Asks the provider whose number it is, after a pause in typing. `question` is undefined until the number is complete. Nothing waits
 * for the answer.
 */
export function useCustomer<Question>(
  question: Question | undefined,
  ask: (caller: Caller, question: Question) => Promise<Named>,
): Customer {
  const caller = useCaller();
  const asked = question && JSON.stringify(question);
  const rested = useRested(asked);
  const isAsking = asked !== undefined && rested === asked;
  const { data, error } = useQuery({
    queryKey: ["customer", caller.merchantId, rested],
    queryFn: () => ask(caller, JSON.parse(rested ?? "null")),
    enabled: isAsking,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const isLate = useLate(isAsking ? rested : undefined);
  if (asked === undefined) return { state: "none" };
  if (!isAsking) return { state: "checking" };
  if (data) return { state: "found", name: data.customer_name, detail: data.current_plan ? `now on ${data.current_plan}` : data.address };
  if (error instanceof Refused && error.code === "VALIDATION_ERROR") {
    return { state: "not_found", message: error.errors[0]?.message ?? error.message };
  }
  return { state: error || isLate ? "unknown" : "checking" };
}

function useRested(text: string | undefined): string | undefined {
  const [rested, setRested] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

function useLate(text: string | undefined): boolean {
  const [late, setLate] = useState<string>();
  useEffect(() => {
    if (text === undefined) return;
    const timer = setTimeout(() => setLate(text), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text !== undefined && late === text;
}
