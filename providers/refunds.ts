import type { Money } from "#lib/money.ts";
import type { PayoutOutcome } from "./payout-bank.ts";

/**
 * The refunds of a bank that sends the money of a payment back to the account that it came from. Every adapter of such a bank implements this interface,
 * and `refunds.conformance.ts` tests it.
 *
 * A refund is ordered once, under a reference of ours. The adapter throws nothing, and every unclear reply is `unknown`: the service then reads the refund,
 * and never orders it again. A payment whose money went back by such refunds alone is still read as kept (`Bank.readAccount`): a recall is something else.
 */
export interface Refunds {
  /** A refund that the bank took can be read within this time. A refund that is not found by then was not taken and never will be. */
  readonly visibleWithinMs: number;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  readRefund(order: RefundOrder): Promise<RefundOutcome | { status: "not_found" }>;
}

export interface RefundOrder {
  /** Our reference: 16 to 50 lower-case letters, digits and underscores. */
  reference: string;
  /** The bank's id of the transfer that paid. */
  sessionId: string;
  /** A part or all of that transfer. */
  amount: Money;
  /** The bank's id of the refund, once it has told one, and those of other refunds of the transfer. */
  bankReference: string | null;
  otherBankReferences: readonly string[];
}

/** As of a payout. `bankReference`: the bank's own id of the refund, where the answer has one. */
export type RefundOutcome = PayoutOutcome & { bankReference?: string };

/** A bank's notice that refunds have changed. It is a hint to read them and moves no money. */
export type RefundHint =
  /** Those of a payment, by our reference for its account. */
  | { refundsToRead: string }
  /** One, by our reference for it. */
  | { refundToRead: string };
