import type { bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { withoutPrefix } from "#lib/ids.ts";
import { type Money, money } from "#lib/money.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { type Actor, actorOf } from "../context.ts";

export const LINK_VALID_FOR_MS = 30 * MINUTE_MS;

export type LinkRow = typeof paymentLinks.$inferSelect;
export type TransferRow = typeof bankTransfers.$inferSelect;

export type Classification = "exact" | "underpaid" | "overpaid" | "late" | "duplicate";

/** `recalled`: it was accepted, and the bank took it back. */
export type Disposition = "accepted" | "returned" | "recalled";

/** Money that arrived at the one-time account of a link. */
export interface BankTransfer extends Pick<TransferRow, "senderName" | "senderBank" | "senderAccountLast4" | "sessionId" | "receivedAt"> {
  amount: Money;
  classification: Classification;
  disposition: Disposition;
  /** The transfer is `returned`, and the bank has confirmed that it sent the money back. */
  sentBack: boolean;
}

/** A payment link with the transfers to its account. The provider's name stays in the row. */
export interface PaymentLink
  extends Pick<
    LinkRow,
    | ("merchantId" | "id" | "reference" | "description" | "customerName" | "customerEmail" | "callbackUrl" | "metadata" | "status")
    | ("accountNumber" | "accountName" | "bankName" | "checkoutUrl" | "paidAt" | "recalledAt" | "createdAt" | "expiresAt")
    | ("replaces" | "replacedBy" | "firstLinkId")
  > {
  orderNo: string;
  amount: Money;
  /** Naira of the refunds that are paid, and of those that may still be. */
  refunded: Money;
  refunding: Money;
  transfers: BankTransfer[];
  /** The reference of the other link of the same order (a chain of replacements) that was paid; null if none was. */
  paidInstead: string | null;
  /** Whether the link is pending although its time is over by the database's clock. */
  isDue: boolean;
  madeBy: Actor;
}

interface Beside {
  transfers: TransferRow[];
  isDue: boolean;
  /** The reference of the link that has paid the order, if one has. */
  orderPaidBy: string | null;
}

export function paymentLinkFromRow(row: LinkRow, { transfers, isDue, orderPaidBy }: Beside): PaymentLink {
  const { merchantId, id, reference, description, customerName, customerEmail, callbackUrl, metadata, status } = row;
  const { accountNumber, accountName, bankName, checkoutUrl, paidAt, recalledAt, createdAt, expiresAt, replaces, replacedBy, firstLinkId } =
    row;
  return {
    ...{ merchantId, id, reference, description, customerName, customerEmail, callbackUrl, metadata, status },
    ...{ accountNumber, accountName, bankName, checkoutUrl, paidAt, recalledAt, createdAt, expiresAt, replaces, replacedBy, firstLinkId },
    orderNo: orderNoOf(id),
    amount: money(row.amount, row.currency),
    refunded: money(row.refundedAmount, row.currency),
    refunding: money(row.refundingAmount, row.currency),
    transfers: transfers.map(transferFromRow),
    paidInstead: orderPaidBy === row.reference ? null : orderPaidBy,
    isDue,
    madeBy: actorOf(row.madeBy),
  };
}

/** Returns a pending link whose time is over as expired, as the sweep will store it within seconds. */
export const asItIsNow = (link: PaymentLink): PaymentLink => (link.isDue ? { ...link, status: "expired" } : link);

// The casts are safe: constraints of the table exclude `unmatched` and `suspended` for a transfer of a link.
export const transferFromRow = (row: TransferRow): BankTransfer => ({
  amount: money(row.amount, row.currency),
  classification: row.classification as Classification,
  disposition: row.disposition as Disposition,
  senderName: row.senderName,
  senderBank: row.senderBank,
  senderAccountLast4: row.senderAccountLast4,
  sessionId: row.sessionId,
  receivedAt: row.receivedAt,
  sentBack: row.disposition === "returned" && row.returnState !== "owed",
});

/** Returns the order number: the link's id without its prefix. Unique and sorted by time; it does not reveal how many links there are. */
export const orderNoOf = (linkId: string) => withoutPrefix(linkId);

/** Returns the ledger key of the posting that a bank transfer made when it arrived. */
export const ledgerKeyOf = (transferId: string) => `bank_transfer:${transferId}`;

/** Returns the ledger key of the posting by which a bank took a transfer back. */
export const recallKeyOf = (transferId: string) => `${ledgerKeyOf(transferId)}:recall`;
