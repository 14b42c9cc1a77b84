import type { payouts } from "#db/schema/payouts.ts";
import { type Money, money } from "#lib/money.ts";
import type { PayoutOrder } from "#providers/payout-bank.ts";
import { type Actor, actorOf } from "../context.ts";
import type { SentMoney } from "../money-out-journal.ts";

export type PayoutRow = typeof payouts.$inferSelect;
export type PayoutStatus = PayoutRow["status"];

/** Money sent to a bank account of the merchant, and what became of it. */
export interface Payout
  extends Pick<
    PayoutRow,
    | (
        | "merchantId"
        | "id"
        | "status"
        | "bankAccountId"
        | "bankCode"
        | "bankName"
        | "accountNumber"
        | "accountName"
        | "narration"
        | "metadata"
      )
    | ("sessionId" | "failureReason" | "createdAt" | "paidAt" | "endedAt" | "automaticFor" | "requestId")
  > {
  /** The name by which merchant and bank know it. */
  reference: string;
  /** Naira that arrive. */
  amount: Money;
  /** Naira. */
  fee: Money;
  /** Naira: amount and fee. */
  total: Money;
  madeBy: Actor;
  /** For a payout that two people decided, the second of them. */
  approvedBy: Actor | null;
}

/** The price that a payout would have now. Nothing is held or stored. */
export interface Quote {
  amount: Money;
  fee: Money;
  total: Money;
  /** Naira of the wallet that would be available then. Below zero: the wallet does not cover it. */
  availableAfter: Money;
  /** Naira that can be paid out now, fees included. */
  payable: Money;
  needsSecondPerson: boolean;
}

/** A payout whose outcome is not known yet. */
export interface StuckPayout extends Payout {
  provider: string;
  /** How often the worker has read its outcome from the bank. */
  attempts: number;
}

/** Returns the reference of a payout at its bank: banks take lower-case letters only. */
export const referenceOf = (id: string): string => id.toLowerCase();

/** Returns the id of the payout that a reference names. */
export const idOfReference = (reference: string): string => {
  const at = reference.indexOf("_") + 1;
  return reference.slice(0, at).toLowerCase() + reference.slice(at).toUpperCase();
};

export function payoutFromRow(row: PayoutRow): Payout {
  const { merchantId, id, status, bankAccountId, bankCode, bankName, accountNumber, accountName, narration, metadata } = row;
  const { sessionId, failureReason, createdAt, paidAt, endedAt, automaticFor, requestId } = row;
  return {
    ...{ merchantId, id, status, bankAccountId, bankCode, bankName, accountNumber, accountName, narration, metadata },
    ...{ sessionId, failureReason, createdAt, paidAt, endedAt, automaticFor, requestId },
    reference: referenceOf(id),
    amount: money(row.amount, "NGN"),
    fee: money(row.fee, "NGN"),
    total: money(row.amount + row.fee, "NGN"),
    madeBy: actorOf(row.madeBy),
    approvedBy: row.approvedBy === null ? null : actorOf(row.approvedBy),
  };
}

/** Returns a payout as the ledger sees it. */
export const asSent = ({ id, amount, fee, corrections }: PayoutRow): SentMoney => ({
  ...{ type: "payout", id, reference: referenceOf(id), amount, fee, corrections },
});

const DEFAULT_NARRATION = "Payout";

/** Returns the order as adapters take it, to pay it and to read it. */
export const orderOf = ({ id, amount, bankCode, accountNumber, accountName, narration }: PayoutRow): PayoutOrder => ({
  ...{ reference: referenceOf(id), amount: money(amount, "NGN"), bankCode, accountNumber, accountName },
  narration: narration ?? DEFAULT_NARRATION,
});
