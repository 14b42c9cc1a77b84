"use client";

import { type AnswerOf, type Caller, call, Refused } from "#app/_client/call.ts";
import type { FactorProof } from "#app/_client/factor-proof.tsx";
import type { PayoutOwner } from "#app/(dashboard)/_money-out/use-payout-proof.tsx";
import { useProvenAction } from "#app/(dashboard)/_money-out/use-proven-action.ts";

type Send = typeof import("#app/api/dashboard/payouts/route.ts").POST;
type Ask = typeof import("#app/api/dashboard/payout-requests/route.ts").POST;
export type SentPayout = AnswerOf<Send>["data"];
export type AskedPayout = AnswerOf<Ask>["data"];

/** What the page promises by its button. */
export interface PayoutBody {
  kind: "send" | "ask";
  amount: number;
  bank_account_id: string;
  narration?: string;
  /** For `send`: Naira with the fee, as shown. */
  expected_total: number;
}

export type PayoutAnswer = { kind: "sent"; payout: SentPayout } | { kind: "asked"; request: AskedPayout };

async function post(
  caller: Caller,
  { kind, expected_total, ...body }: PayoutBody,
  proof: Partial<FactorProof>,
  idempotencyKey: string,
): Promise<PayoutAnswer> {
  if (kind === "ask") {
    const sent = { body: { ...body, ...proof }, idempotencyKey };
    return { kind: "asked", request: (await call<Ask>(caller, "POST", "/api/dashboard/payout-requests", sent)).data };
  }
  const sent = { body: { ...body, expected_total, ...proof }, idempotencyKey };
  return { kind: "sent", payout: (await call<Send>(caller, "POST", "/api/dashboard/payouts", sent)).data };
}

/** Sends money to a bank account, or asks a second person for it. */
export function useSendMoney(owner: PayoutOwner) {
  const { error, ...action } = useProvenAction({ owner, name: "payouts/send", post });
  return { ...action, isPriceChanged: error instanceof Refused && error.code === "PRICE_CHANGED" };
}

export type SendAction = ReturnType<typeof useSendMoney>;
