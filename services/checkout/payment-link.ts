import type { bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { type Money, money } from "#lib/money.ts";

export type LinkRow = typeof paymentLinks.$inferSelect;
export type TransferRow = typeof bankTransfers.$inferSelect;

export type Classification = "exact" | "underpaid" | "overpaid" | "late" | "duplicate";

/** `recalled`: it was accepted, and the bank took it back. */
export type Disposition = "accepted" | "returned" | "recalled";

/** Money that came to the one-time account of a link. */
export interface BankTransfer extends Pick<TransferRow, "senderName" | "sessionId" | "receivedAt"> {
  amount: Money;
  classification: Classification;
  disposition: Disposition;
  /** Of one that is returned: whether the bank says that it has sent it back. */
  sentBack: boolean;
}

/** A payment link with the transfers that came to it. Which bank keeps its account stays in the row. */
export interface PaymentLink
  extends Pick<
    LinkRow,
    | ("merchantId" | "id" | "reference" | "description" | "customerName" | "customerEmail" | "callbackUrl" | "metadata" | "status")
    | ("accountNumber" | "accountName" | "bankName" | "checkoutUrl" | "paidAt" | "recalledAt" | "createdAt" | "expiresAt")
  > {
  orderNo: string;
  amount: Money;
  transfers: BankTransfer[];
  /** Pending, and its time is over by the database's clock. */
  isDue: boolean;
}

export function paymentLinkFromRow(row: LinkRow, { transfers, isDue }: { transfers: TransferRow[]; isDue: boolean }): PaymentLink {
  const { merchantId, id, reference, description, customerName, customerEmail, callbackUrl, metadata, status } = row;
  const { accountNumber, accountName, bankName, checkoutUrl, paidAt, recalledAt, createdAt, expiresAt } = row;
  return {
    ...{ merchantId, id, reference, description, customerName, customerEmail, callbackUrl, metadata, status },
    ...{ accountNumber, accountName, bankName, checkoutUrl, paidAt, recalledAt, createdAt, expiresAt },
    orderNo: orderNoOf(id),
    amount: money(row.amount, row.currency),
    transfers: transfers.map(transferFromRow),
    isDue,
  };
}

// A transfer of a link is never `unmatched` nor `suspended`: constraints of the table say so.
const transferFromRow = (row: TransferRow): BankTransfer => ({
  amount: money(row.amount, row.currency),
  classification: row.classification as Classification,
  disposition: row.disposition as Disposition,
  senderName: row.senderName,
  sessionId: row.sessionId,
  receivedAt: row.receivedAt,
  sentBack: row.disposition === "returned" && row.returnState !== "owed",
});

/** The order number is the link's id without its prefix: unique, sorted by time, and it gives away no count. */
export const orderNoOf = (linkId: string) => linkId.slice(linkId.indexOf("_") + 1);

/** The ledger's key of what a bank transfer moved when it came. */
export const ledgerKeyOf = (transferId: string) => `bank_transfer:${transferId}`;
