import type { z } from "zod";
import { toMajorNumber } from "#lib/money.ts";
import { isoOrNull } from "#lib/time.ts";
import { maskedNumber } from "../payouts/index.ts";
import type { PaymentLinkObject, RefundObject, TimelineEntryObject, TransferObject } from "./contract.ts";
import type { BankTransfer, PaymentLink } from "./payment-link.ts";
import type { Refund } from "./refund.ts";
import type { PublicTimelineEntry } from "./timeline-entry.ts";

/** Presents an entry for the API, which has events and their deliveries elsewhere. */
export function presentTimelineEntry(entry: PublicTimelineEntry): z.output<typeof TimelineEntryObject> {
  const at = entry.at.toISOString();
  switch (entry.type) {
    case "created":
    case "expired":
      return { type: entry.type, at };
    case "transfer":
      return {
        type: entry.type,
        at,
        amount: toMajorNumber(entry.amount),
        classification: entry.classification,
        disposition: entry.disposition,
      };
    case "refund":
      return { type: entry.type, at, amount: toMajorNumber(entry.amount), status: entry.status };
    case "posting":
      return { type: entry.type, at, amount: toMajorNumber(entry.amount), direction: entry.direction };
    default:
      return { type: entry.type, at, last_at: entry.lastAt.toISOString(), times: entry.times };
  }
}

export function presentPaymentLink(link: PaymentLink, baseUrl: string): z.output<typeof PaymentLinkObject> {
  return {
    reference: link.reference,
    order_no: link.orderNo,
    payment_link: `${baseUrl}/pay/${link.reference}`,
    checkout_url: link.checkoutUrl ?? `${baseUrl}/pay/${link.reference}`,
    amount: toMajorNumber(link.amount),
    currency: "NGN",
    status: link.status,
    description: link.description,
    customer_name: link.customerName,
    customer_email: link.customerEmail,
    callback_url: link.callbackUrl,
    metadata: link.metadata,
    paid_at: isoOrNull(link.paidAt),
    recalled_at: isoOrNull(link.recalledAt),
    refunded_amount: toMajorNumber(link.refunded),
    replaces: link.replaces,
    replaced_by: link.replacedBy,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
    transfers: link.transfers.map(presentTransfer),
  };
}

function presentTransfer(transfer: BankTransfer): z.output<typeof TransferObject> {
  return {
    amount: toMajorNumber(transfer.amount),
    classification: transfer.classification,
    disposition: transfer.disposition,
    sender_name: transfer.senderName,
    session_id: transfer.sessionId,
    received_at: transfer.receivedAt.toISOString(),
  };
}

export const presentRefund = (refund: Refund): z.output<typeof RefundObject> => ({
  id: refund.id,
  reference: refund.reference,
  payment_reference: refund.paymentReference,
  amount: toMajorNumber(refund.amount),
  currency: "NGN",
  status: refund.status,
  waits_for: waitsFor(refund),
  account: accountOf(refund),
  reason: refund.reason,
  failure_reason: refund.failureReason,
  created_at: refund.createdAt.toISOString(),
  paid_at: isoOrNull(refund.paidAt),
});

function waitsFor({ status, awaitsOwner }: Refund): "customer" | "owner" | null {
  if (status !== "needs_account") return null;
  return awaitsOwner ? "owner" : "customer";
}

function accountOf({ bankName, accountNumber, accountName }: Refund): z.output<typeof RefundObject>["account"] {
  if (bankName === null || accountNumber === null || accountName === null) return null;
  return { bank_name: bankName, account_number: maskedNumber(accountNumber), account_name: accountName };
}
