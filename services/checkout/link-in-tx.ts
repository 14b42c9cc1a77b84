import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { settings } from "#lib/env.ts";
import { money } from "#lib/money.ts";
import { type BankTransfer, type Classification, orderNoOf, type PaymentLink } from "./payment-link.ts";
import { presentPaymentLink } from "./present.ts";

export type LinkInTx = typeof paymentLinks.$inferSelect;

/** Locks a link that is known to exist. */
export async function lockLink(tx: Tx, merchantId: string, linkId: string): Promise<LinkInTx> {
  const [link] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)))
    .for("update");
  if (!link) throw new Error(`there is no link ${linkId} of ${merchantId}`);
  return link;
}

/** What an event about a link carries: the object of the API, as this transaction leaves it. */
export async function linkAsEventData(tx: Tx, merchantId: string, linkId: string): Promise<Record<string, unknown>> {
  const [link] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)));
  if (!link) throw new Error(`no link ${linkId} of ${merchantId}`);
  const transfers = await tx
    .select()
    .from(bankTransfers)
    .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.linkId, linkId)))
    .orderBy(bankTransfers.receivedAt, bankTransfers.id);
  const whole: PaymentLink = {
    ...link,
    orderNo: orderNoOf(link.id),
    amount: money(link.amount, link.currency),
    isDue: false,
    transfers: transfers.map(toBankTransfer),
  };
  return presentPaymentLink(whole, settings().BASE_URL);
}

// A transfer of a link is never `unmatched` nor `suspended`: constraints of the table say so.
function toBankTransfer(row: typeof bankTransfers.$inferSelect): BankTransfer {
  return {
    amount: money(row.amount, row.currency),
    classification: row.classification as Classification,
    disposition: row.disposition as BankTransfer["disposition"],
    senderName: row.senderName,
    sessionId: row.sessionId,
    receivedAt: row.receivedAt,
    sentBack: row.disposition === "returned" && row.returnState !== "owed",
  };
}
