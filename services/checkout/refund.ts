import type { refunds } from "#db/schema/refunds.ts";
import { type Money, money } from "#lib/money.ts";
import type { PayoutOrder } from "#providers/payout-bank.ts";
import type { RefundOrder } from "#providers/refunds.ts";
import { type Actor, actorOf } from "../context.ts";
import type { SentMoney } from "../money-out-journal.ts";

export type RefundRow = typeof refunds.$inferSelect;
export type RefundStatus = RefundRow["status"];

/** Money of a paid link that goes back to its payer. */
export interface Refund
  extends Pick<
    RefundRow,
    | ("merchantId" | "id" | "status" | "route" | "linkId" | "paymentReference" | "reason" | "bankName" | "accountNumber" | "accountName")
    | ("awaitsOwner" | "expiresAt" | "sessionId" | "failureReason" | "createdAt" | "paidAt" | "endedAt")
  > {
  /** The name by which merchant and bank know it. */
  reference: string;
  /** Naira. */
  amount: Money;
  madeBy: Actor;
  /** The owner who agreed to an account with another name than the sender's. */
  confirmedBy: Actor | null;
}

/** A refund whose outcome is not known yet. */
export interface StuckRefund extends Refund {
  provider: string;
  /** How often the worker has read its outcome from the bank. */
  attempts: number;
}

/** Returns the reference of a refund at its bank: banks take lower-case letters only. */
const referenceOf = (id: string): string => id.toLowerCase();

/** Returns the id of the refund that a reference names. */
export const idOfRefund = (reference: string): string => {
  const at = reference.indexOf("_") + 1;
  return reference.slice(0, at).toLowerCase() + reference.slice(at).toUpperCase();
};

export function refundFromRow(row: RefundRow): Refund {
  const { merchantId, id, status, route, linkId, paymentReference, reason, bankName, accountNumber, accountName } = row;
  const { awaitsOwner, expiresAt, sessionId, failureReason, createdAt, paidAt, endedAt } = row;
  return {
    ...{ merchantId, id, status, route, linkId, paymentReference, reason, bankName, accountNumber, accountName },
    ...{ awaitsOwner, expiresAt, sessionId, failureReason, createdAt, paidAt, endedAt },
    reference: referenceOf(id),
    amount: money(row.amount, "NGN"),
    madeBy: actorOf(row.madeBy),
    confirmedBy: row.confirmedBy === null ? null : actorOf(row.confirmedBy),
  };
}

/** Returns a refund as the ledger sees it. */
export const asSent = ({ id, paymentReference, amount, corrections }: RefundRow): SentMoney => ({
  ...{ type: "refund", id, reference: paymentReference, amount, fee: 0n, corrections },
});

/** Returns the order of a refund by the bank that took the payment. */
export const orderAtBank = (
  { id, transferSessionId, amount, bankReference }: RefundRow,
  otherBankReferences: readonly string[],
): RefundOrder => ({
  ...{ reference: referenceOf(id), sessionId: transferSessionId, amount: money(amount, "NGN"), bankReference, otherBankReferences },
});

const NARRATION = "Refund";

/** Returns the order of a refund to the account that the payer has named. Throws an Error for a refund without one. */
export function orderToAccount({ id, amount, bankCode, accountNumber, accountName }: RefundRow): PayoutOrder {
  if (bankCode === null || accountNumber === null || accountName === null) throw new Error(`refund ${id} has no account`);
  return { reference: referenceOf(id), amount: money(amount, "NGN"), bankCode, accountNumber, accountName, narration: NARRATION };
}
