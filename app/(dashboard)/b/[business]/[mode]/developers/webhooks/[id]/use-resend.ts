"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { useAction } from "#app/_client/use-action.ts";

type Resend = typeof import("#app/api/v1/webhook-endpoints/[id]/resend/route.ts").POST;
type CountMissed = typeof import("#app/api/dashboard/webhook-endpoints/[id]/missed/route.ts").GET;

/** How far a sending is: what is on its way again, and what is left of it. */
export interface ResendProgress {
  sent: number;
  left: number;
  /** Otherwise more may be left. */
  isExact: boolean;
}

/** What sending again would send. */
export interface Missed {
  missed: number;
  /** Otherwise there may be more. */
  isExact: boolean;
}

/**
 * Sends an endpoint everything since a time again, in steps, each behind the one before. All steps belong to one intent, and each has its own key of
 * that intent. So an intent that a lost answer or a reload has interrupted goes through the same steps again, which are not done twice, and
 * then goes on.
 */
export function useResend(id: string) {
  const router = useRouter();
  const [progress, setProgress] = useState<ResendProgress>();
  const action = useAction({
    name: `endpoints/${id}/resend`,
    send: async (caller, { since }: { since: string }, intentKey) => {
      for (let [after, sent] = [0, 0]; ; ) {
        const { data } = await call<Resend>(caller, "POST", "/api/v1/webhook-endpoints/{id}/resend", {
          params: { id },
          body: { since, after },
          idempotencyKey: `${intentKey}.${after}`,
        });
        sent += data.sent;
        setProgress({ sent, left: data.left, isExact: data.left_is_exact });
        // A step that finds nothing is the last one, also where something has failed anew since.
        if (data.left === 0 || data.last_sequence === after) return sent;
        after = data.last_sequence;
      }
    },
    onDone: () => router.refresh(),
  });
  const act = (since: string): void => {
    setProgress(undefined);
    action.act({ since });
  };
  return { ...action, act, progress };
}

interface Counting {
  /** Undefined before there is an answer, and where there is none. */
  missed: Missed | undefined;
  isCounting: boolean;
}

/** Counts what sending again since a time would send, and counts anew when `again` changes. */
export function useMissed(id: string, age: string, since: () => string, again: string): Counting {
  const caller = useCaller();
  const { data, isPending } = useQuery({
    queryKey: ["missed", caller.merchantId, id, age, again],
    queryFn: async () => {
      const { data: counted } = await call<CountMissed>(caller, "GET", "/api/dashboard/webhook-endpoints/{id}/missed", {
        params: { id },
        query: { since: since() },
      });
      return { missed: counted.missed, isExact: counted.missed_is_exact };
    },
    retry: false,
    refetchOnWindowFocus: false,
  });
  return { missed: data, isCounting: isPending };
}
