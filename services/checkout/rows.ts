import { and, asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { bankTransfers, paymentLinks, paymentReferences } from "#db/schema/checkout.ts";
import { type LinkRow, type PaymentLink, paymentLinkFromRow } from "./payment-link.ts";

/** The columns of `RawLink` for a link `l`. Amounts in JSON are text, because a JSON number loses the digits of a large bigint. */
export const LINK_COLUMNS = `
  l.*, l.status = 'pending' and l.expires_at <= now() as is_due,
  coalesce((
    select json_agg(to_jsonb(b) || jsonb_build_object('amount', b.amount::text) order by b.received_at, b.id)
    from bank_transfers b where b.merchant_id = l.merchant_id and b.link_id = l.id), '[]') as transfers`;

/** A link as `LINK_COLUMNS` reads it: these, and the columns of its table. */
export interface RawLink {
  is_due: boolean;
  transfers: object[];
}

export const linkFromRaw = (raw: RawLink): PaymentLink =>
  paymentLinkFromRow(fromRow(paymentLinks, raw), {
    isDue: raw.is_due,
    transfers: raw.transfers.map((transfer) => fromRow(bankTransfers, transfer)),
  });

/** Returns the id of the link that has this reference, or undefined where it is not the merchant's. */
export async function findLinkId(tx: Tx, merchantId: string, reference: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ linkId: paymentReferences.linkId })
    .from(paymentReferences)
    .where(and(eq(paymentReferences.reference, reference), eq(paymentReferences.merchantId, merchantId)));
  return found?.linkId;
}

/** Locks the links of arrivals of one merchant, in the order of their ids, until the transaction ends, and returns them. */
export async function lockLinks(tx: Tx, arrivals: { merchantId: string; linkId: string }[]): Promise<LinkRow[]> {
  const [first] = arrivals;
  if (!first) return [];
  const linkIds = arrivals.map(({ linkId }) => linkId);
  return tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, first.merchantId), inArray(paymentLinks.id, linkIds)))
    .orderBy(asc(paymentLinks.id))
    .for("update");
}

/** Locks a link until the transaction ends, and returns it. Throws an Error if the merchant has no such link. */
export async function lockLink(tx: Tx, merchantId: string, linkId: string): Promise<LinkRow> {
  const [link] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)))
    .for("update");
  if (!link) throw new Error(`there is no link ${linkId} of ${merchantId}`);
  return link;
}
