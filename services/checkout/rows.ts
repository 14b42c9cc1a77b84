import { and, asc, eq, inArray, sql as sqlOf } from "drizzle-orm";
import { type Sql, sql, type Tx } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { bankTransfers, linkOfReference, paymentLinks } from "#db/schema/checkout.ts";
import { isLinkReference } from "#lib/references.ts";
import type { Fragment } from "../list-window.ts";
import { type LinkRow, type PaymentLink, paymentLinkFromRow } from "./payment-link.ts";

/** Amounts in JSON are text, because a JSON number loses the digits of a large bigint. */
const columnsOf = (merchantId: string) => `
  l.*, l.status = 'pending' and l.expires_at <= now() as is_due,
  case when l.first_link_id is null then l.order_paid_by
    else (select f.order_paid_by from payment_links f where f.merchant_id = ${merchantId} and f.id = l.first_link_id) end as paid_by,
  coalesce((
    select json_agg(to_jsonb(b) || jsonb_build_object('amount', b.amount::text) order by b.received_at, b.id)
    from bank_transfers b where b.merchant_id = ${merchantId} and b.link_id = l.id), '[]') as transfers`;

/** The columns of `RawLink` for a link `l`, in a text whose first parameter is the merchant. */
export const LINK_COLUMNS = columnsOf("$1");

/** The same columns in a query. */
export function linkColumns(query: Sql, merchantId: string): Fragment {
  const [before = "", between = "", after = ""] = LINK_COLUMNS.split("$1");
  return query`${query.unsafe(before)}${merchantId}${query.unsafe(between)}${merchantId}${query.unsafe(after)}`;
}

/** A link as `LINK_COLUMNS` reads it: these, and the columns of its table. */
export interface RawLink {
  is_due: boolean;
  paid_by: string | null;
  transfers: object[];
}

export const linkFromRaw = (raw: RawLink): PaymentLink =>
  paymentLinkFromRow(fromRow(paymentLinks, raw), {
    isDue: raw.is_due,
    orderPaidBy: raw.paid_by,
    transfers: raw.transfers.map((transfer) => fromRow(bankTransfers, transfer)),
  });

const BY_REFERENCE = `select ${LINK_COLUMNS} from ${linkOfReference("$1", "$2")} l`;

/** Runs a constant text with parameters. `unsafe` spares the driver composing the text in each call: a quarter of its time. */
export const run = <Row extends object>(text: string, parameters: (string | number | boolean | null)[]) =>
  sql().unsafe<Row[]>(text, parameters, { prepare: true });

/** Returns the merchant's link of a reference as it is stored: it may be pending although its time is over. */
export async function findStoredLink(merchantId: string, reference: string): Promise<PaymentLink | undefined> {
  if (!isLinkReference(reference)) return undefined;
  const [row] = await run<RawLink>(BY_REFERENCE, [merchantId, reference]);
  return row && linkFromRaw(row);
}

/**
 * Locks the links of arrivals of one merchant, in the order of their ids, until the transaction ends, and returns them. For one arrival, also locks
 * the first link of the chain: it is the older one, so it is locked first.
 */
export async function lockLinks(tx: Tx, arrivals: { merchantId: string; linkId: string }[]): Promise<LinkRow[]> {
  const [first] = arrivals;
  if (!first) return [];
  const { merchantId } = first;
  const linkIds = arrivals.map(({ linkId }) => linkId);
  const firstOfChain = sqlOf`(select first_link_id from payment_links where merchant_id = ${merchantId} and id = ${first.linkId})`;
  const wanted =
    arrivals.length === 1 ? sqlOf`${paymentLinks.id} in (${first.linkId}, ${firstOfChain})` : inArray(paymentLinks.id, linkIds);
  return tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), wanted))
    .orderBy(asc(paymentLinks.id))
    .for("update");
}

/** Returns the row of a link, without a lock. */
export async function findLinkRow(tx: Tx, merchantId: string, linkId: string): Promise<LinkRow | undefined> {
  const [link] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)));
  return link;
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
