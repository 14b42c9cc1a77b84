import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MerchantContext } from "../context.ts";
import { findRecentPurchases, readSkus } from "../vtu/index.ts";
import type { BulkRow } from "./bulk-row.ts";

type Thing = Pick<BulkRow, "recipient" | "productId" | "amount">;
type Candidate = Thing & Pick<BulkRow, "row" | "status">;

/** A purchase of the same goods for the same recipient within this time is a duplicate. */
const DUPLICATE_WITHIN_MS = DAY_MS;

/** Identifies goods by their SKU and by the aggregator's product, because a renamed product has another SKU. */
const namesOf = ({ recipient, productId, amount }: Thing, sku: string): [string, string] => {
  const isChosen = sku.startsWith("airtime/") || sku.startsWith("electricity/");
  return [`${recipient} ${sku}`, `${recipient} ${productId}${isChosen ? ` ${amount}` : ""}`];
};

/**
 * Returns, by row number, what each of these rows repeats, at whatever price and from whatever aggregator: an earlier row of the file, a purchase of
 * the last 24 hours, or a row of another bulk order that waits to be bought. Only valid rows repeat anything.
 */
export async function findDuplicates(tx: Tx, ctx: MerchantContext, orderId: string, rows: Candidate[]): Promise<Map<number, string>> {
  const valid = rows.filter(({ recipient }) => recipient !== null);
  const recipients = [...new Set(valid.map(({ recipient }) => recipient ?? ""))];
  // The waiting rows are read first, so that a row bought between the two statements is found among the purchases.
  const waiting = await findWaiting(tx, ctx.merchant.id, orderId, recipients);
  const bought = await findRecentPurchases(tx, ctx, recipients, DUPLICATE_WITHIN_MS);
  const skuOfRow = await namesOfGoods(tx, [...valid, ...waiting]);
  const seen = new Map<string, string>();
  const note = (thing: Thing, sku: string, earlier: string) => {
    for (const name of namesOf(thing, sku)) seen.set(name, earlier);
  };
  for (const each of waiting) note(each, skuOfRow(each), each.bulkOrderId);
  for (const { id, sku, unitPrice: amount, ...purchase } of bought) note({ ...purchase, amount }, sku, id);
  const found = new Map<number, string>();
  for (const each of valid) {
    const sku = skuOfRow(each);
    const [bySku, byProduct] = namesOf(each, sku);
    const earlier = seen.get(bySku) ?? seen.get(byProduct);
    if (earlier !== undefined) found.set(each.row, earlier);
    else note(each, sku, `row ${each.row}`);
  }
  return found;
}

/** Returns a function from a valid row to the identity of its goods: never their price, which may have changed since a row was stored. */
async function namesOfGoods(tx: Tx, rows: Thing[]): Promise<(row: Thing) => string> {
  const toGoods = ({ productId, amount }: Thing) => {
    if (productId === null || amount === null) throw new Error("a valid row without product or amount");
    return { productId, amount };
  };
  const skus = await readSkus(tx, rows.map(toGoods));
  return (row) => skus(toGoods(row));
}

async function findWaiting(
  tx: Tx,
  merchantId: string,
  orderId: string,
  recipients: string[],
): Promise<(Thing & { bulkOrderId: string })[]> {
  const rows = await tx.execute<{
    recipient: string;
    product_id: number;
    amount: bigint;
    bulk_order_id: string;
  }>(sql`
    select r.recipient, r.product_id, r.amount, r.bulk_order_id from bulk_rows r
    join bulk_orders o on o.merchant_id = ${merchantId} and o.id = r.bulk_order_id and o.status in ('running', 'paused')
    where r.merchant_id = ${merchantId} and r.status = 'ready' and r.recipient = any(${sql.param(recipients)}::text[]) and r.bulk_order_id <> ${orderId}`);
  return rows.map((row) => ({ ...row, productId: row.product_id, bulkOrderId: row.bulk_order_id }));
}
