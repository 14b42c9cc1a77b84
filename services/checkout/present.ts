import type { z } from "zod";
import { toMajorNumber } from "#lib/money.ts";
import { isoOrNull } from "#lib/time.ts";
import type { PaymentLinkObject, TimelineEntryObject, TransferObject } from "./contract.ts";
import type { BankTransfer, PaymentLink } from "./payment-link.ts";
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
