"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { type AnswerOf, call, Refused } from "#app/_client/call.ts";
import { problemOf, useAction } from "#app/_client/use-action.ts";
import { NotDone } from "#app/_client/use-work.ts";
import type { FormProblem } from "#components/ui/action-form.tsx";
import { type PayoutOwner, usePayoutProof } from "./use-payout-proof.tsx";

type Send = typeof import("#app/api/dashboard/payouts/route.ts").POST;
type Ask = typeof import("#app/api/dashboard/payout-requests/route.ts").POST;
export type SentPayout = AnswerOf<Send>["data"];
export type AskedPayout = AnswerOf<Ask>["data"];

/** What the page promises by its button. It is kept in the tab until there is an answer, so it has neither a password nor a code. */
export interface PayoutBody {
  kind: "send" | "ask";
  amount: number;
  bank_account_id: string;
  narration?: string;
  /** For `send`: Naira with the fee, as shown. */
  expected_total: number;
}

type Typed = (field: string) => string;
export type PayoutAnswer = { kind: "sent"; payout: SentPayout } | { kind: "asked"; request: AskedPayout };

/**
 * Sends money to a bank account, or asks a second person for it. `unanswered` is a body that was sent and has no answer, from this page or from before
 * a reload: nothing else may be sent until it has one. The proof is made anew for each try, and is kept nowhere.
 */
export function useSendMoney(owner: PayoutOwner) {
  const router = useRouter();
  const made = useRef<object>({});
  const { prove, fields } = usePayoutProof(owner, "pay_out");
  const [isProving, setProving] = useState(false);
  const [noProof, setNoProof] = useState<FormProblem>();
  const action = useAction({
    name: "payouts/send",
    send: async (caller, { kind, expected_total, ...body }: PayoutBody, idempotencyKey): Promise<PayoutAnswer> => {
      if (kind === "ask") {
        const sent = { body: { ...body, ...made.current }, idempotencyKey };
        return { kind: "asked", request: (await call<Ask>(caller, "POST", "/api/dashboard/payout-requests", sent)).data };
      }
      const sent = { body: { ...body, expected_total, ...made.current }, idempotencyKey };
      return { kind: "sent", payout: (await call<Send>(caller, "POST", "/api/dashboard/payouts", sent)).data };
    },
  });
  const { error, answer } = action;
  useEffect(() => {
    // The page behind shows the wallet as it is now.
    if (error || answer) router.refresh();
  }, [router, error, answer]);
  const send = async (body: PayoutBody, typed: Typed): Promise<void> => {
    if (isProving || action.isWorking) return;
    setProving(true);
    setNoProof(undefined);
    try {
      made.current = await prove(typed);
    } catch (refusal) {
      setNoProof(problemOfProof(refusal));
      return;
    } finally {
      setProving(false);
    }
    action.act(body);
  };
  const unanswered = answer ? undefined : (action.unanswered ?? action.lost);
  return {
    ...{ answer, unanswered, fields, send, reset: action.reset },
    isWorking: isProving || action.isWorking,
    problem: noProof ?? action.problem,
    isPriceChanged: error instanceof Refused && error.code === "PRICE_CHANGED",
  };
}

export type SendAction = ReturnType<typeof useSendMoney>;

const problemOfProof = (refusal: unknown): FormProblem =>
  refusal instanceof NotDone
    ? { message: refusal.message, errors: {} }
    : problemOf(refusal instanceof Error ? refusal : new Error("unknown"));
