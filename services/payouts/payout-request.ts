import type { payoutRequests } from "#db/schema/payouts.ts";
import { type Money, money } from "#lib/money.ts";
import { type Actor, actorOf } from "../context.ts";

export type RequestRow = typeof payoutRequests.$inferSelect;

/** A payout that waits for a second person's decision. */
export interface PayoutRequest
  extends Pick<RequestRow, "merchantId" | "id" | "bankAccountId" | "narration" | "createdAt" | "expiresAt" | "decidedAt"> {
  /** Naira that shall arrive. */
  amount: Money;
  state: "open" | "approved" | "declined" | "withdrawn" | "expired";
  madeBy: Actor;
  decidedBy: Actor | null;
  /** The payout that came of it. */
  payoutId: string | null;
}

export function requestFromRow(row: RequestRow, payoutId: string | null = null, now = new Date()): PayoutRequest {
  const { merchantId, id, bankAccountId, narration, createdAt, expiresAt, decidedAt, decision } = row;
  return {
    ...{ merchantId, id, bankAccountId, narration, createdAt, expiresAt, decidedAt, payoutId },
    amount: money(row.amount, "NGN"),
    state: decision ?? (expiresAt <= now ? "expired" : "open"),
    madeBy: actorOf(row.madeBy),
    decidedBy: row.decidedBy === null ? null : actorOf(row.decidedBy),
  };
}
