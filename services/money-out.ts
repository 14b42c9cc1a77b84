import { type SQL, sql } from "drizzle-orm";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { PayoutOutcome } from "#providers/payout-bank.ts";

// What payouts and refunds have in common: money that a bank sends once, on an order of ours, and that may come back later.

/** The lease of a process that reads an outcome. Within this time it reads and settles it. Afterwards another process may take the lease. */
export const LEASE_MS = 30 * SECOND_MS;

/** The bank is asked within this time, counted from before the claim, or never: a process that was paused for longer sends no order. */
export const MAX_CLAIM_TO_CALL_MS = 5 * SECOND_MS;
/** An order to a bank is on its way within this time from the begin of the call, or never: an adapter may make two calls. */
export const MAX_CALL_MS = 20 * SECOND_MS;

/** What is final is read once more: banks send money back, and their notices get lost. */
export const RECHECK_AFTER_MS = DAY_MS;
/** What failed because its bank did not know it is read again sooner: a paused process may still have sent the order. */
export const RECHECK_LOST_AFTER_MS = MINUTE_MS;
/** After so many reads without a final outcome, what is final is read no more, except once at `RECHECK_AFTER_MS` after its end. */
export const MAX_RECHECK_ATTEMPTS = 10;
/** The shortest time between two reads that notices cause. It is longer than a read, so that notices cannot supersede every read. */
export const MIN_BETWEEN_READS_MS = MAX_CALL_MS + SECOND_MS;

/** An outcome that decides. */
export type Final = Extract<PayoutOutcome, { status: "paid" | "failed" | "reversed" }>;

/** The states of money that was ordered. */
export type SentStatus = "processing" | Final["status"];

/**
 * The change that an outcome makes. `late`: the bank has paid after it had failed here. `reversal`: what was paid came back. `contradiction`: the bank
 * says that it paid what had come back before, or did not pay what it had paid. No money moves then, and operators ask it.
 */
export type Change = "paid" | "failed" | "late" | "reversal" | "contradiction";

/** A change that moves money. `again`: what had come back here was paid after all, as an operator says. */
export type Effective = Exclude<Change, "contradiction"> | "again";

export const finalOutcome = (outcome: PayoutOutcome): Final | undefined =>
  outcome.status === "paid" || outcome.status === "failed" || outcome.status === "reversed" ? outcome : undefined;

/** Returns the change that an outcome makes, or undefined where it changes nothing. */
export function changeOf({ status, corrections }: { status: SentStatus; corrections: number }, outcome: Final): Change | undefined {
  const isPaid = outcome.status === "paid";
  switch (status) {
    case "processing":
      return isPaid ? "paid" : "failed";
    case "paid":
      if (isPaid) return undefined;
      return outcome.status === "reversed" && corrections === 0 ? "reversal" : "contradiction";
    case "failed":
      return isPaid ? "late" : undefined;
    case "reversed":
      return isPaid ? "contradiction" : undefined;
  }
}

/** The change that an operator's word makes, who has asked the bank. A word that does not follow the state changes nothing. */
export function changeByOperator(status: SentStatus, outcome: Final["status"]): Effective | undefined {
  switch (status) {
    case "processing":
      return outcome === "reversed" ? undefined : outcome;
    case "paid":
      return outcome === "reversed" ? "reversal" : undefined;
    case "failed":
      return outcome === "paid" ? "late" : undefined;
    case "reversed":
      return outcome === "paid" ? "again" : undefined;
  }
}

/** The time now, in whole milliseconds that are over: rows with a time of their own are valid from then on. */
export const NOW = sql`date_trunc('milliseconds', now())`;

/** Returns the columns of a payout or refund after a change. `next`: when it is read again. */
export const columnsAfter = (change: Effective, { corrections }: { corrections: number }, outcome: Final, next: SQL | null) => ({
  ...(outcome.status === "paid"
    ? ({ status: "paid", sessionId: outcome.sessionId, failureReason: null, paidAt: NOW, endedAt: null } as const)
    : ({ status: change === "reversal" ? "reversed" : "failed", failureReason: outcome.reason, endedAt: NOW } as const)),
  ...(change === "late" && { isLate: true }),
  ...(change === "again" && { corrections: corrections + 1 }),
  nextAttemptAt: next,
});

/** Returns the time of the next read of a final row: after `afterMs`. A hint since the lease has set another time, which stays. */
export const nextReadAfter = (afterMs: number): SQL => sql`case
  when next_attempt_at - leased_at <> ${LEASE_MS} * interval '1 ms' then next_attempt_at
  else (select now()) + ${afterMs} * interval '1 ms' end`;
