"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useCaller } from "#app/_client/provider.tsx";
import { useAction } from "#app/_client/use-action.ts";

type Resend = typeof import("#app/api/v1/webhook-endpoints/[id]/resend/route.ts").POST;
type CountMissed = typeof import("#app/api/dashboard/webhook-endpoints/[id]/missed/route.ts").GET;

/** The progress of a resend: how many events were sent again, and how many are left. */
export interface ResendProgress {
  sent: number;
  left: number;
  /** Otherwise more may be left. */
  isExact: boolean;
}

/** The number of events that a resend would send. */
export interface Missed {
  missed: number;
  /** Otherwise there may be more. */
  isExact: boolean;
}

/**
 * Resends the events since a time that an endpoint missed, in consecutive steps. All steps belong to one intent, and each has its own key of
 * that intent. If a lost answer or a reload interrupts the intent, it repeats the same steps, which the keys keep from running twice, and
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
        // A step that sends nothing is the last one, even if another delivery has failed in the meantime.
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
  /** Undefined until the answer arrives, and after a failure. */
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
