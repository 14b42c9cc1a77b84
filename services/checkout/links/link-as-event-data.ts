import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { settings } from "#lib/env.ts";
import { type LinkRow, paymentLinkFromRow, type TransferRow } from "../payment-link.ts";
import { presentPaymentLink } from "../present.ts";

/** Returns the API's object of a link as this transaction sees it. Events about the link contain it. */
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
  return linkEventData(link, transfers);
}

/** Returns the API's object of a link and its transfers, in the order of their times. */
export const linkEventData = (link: LinkRow, transfers: TransferRow[]): Record<string, unknown> =>
  presentPaymentLink(paymentLinkFromRow(link, { transfers, isDue: false, orderPaidBy: null }), settings().BASE_URL);
