import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MerchantContext } from "../context.ts";
import { findRecentPurchases } from "../vtu/index.ts";
import type { BulkRow } from "./bulk-row.ts";

type Thing = Pick<BulkRow, "recipient" | "productId" | "variant" | "amount">;
type Candidate = Thing & Pick<BulkRow, "row" | "status">;

/** The same for the same recipient within this time is a duplicate. */
const DUPLICATE_WITHIN_MS = DAY_MS;

const nameOf = ({ recipient, productId, variant, amount }: Thing) => [recipient, productId, variant, amount].join("/");

/**
 * Returns, by row number, what each of these rows repeats: an earlier row of the file, a purchase of the last 24 hours, or a row of another
 * bulk order that waits to be bought. Only valid rows repeat anything.
 */
export async function findDuplicates(tx: Tx, ctx: MerchantContext, orderId: string, rows: Candidate[]): Promise<Map<number, string>> {
  const valid = rows.filter(({ recipient }) => recipient !== null);
  const recipients = [...new Set(valid.map(({ recipient }) => recipient ?? ""))];
  // Waiting rows first: one that is bought between the two statements is then among the purchases.
  const waiting = await findWaiting(tx, ctx.merchant.id, orderId, recipients);
  const bought = await findRecentPurchases(tx, ctx, recipients, DUPLICATE_WITHIN_MS);
  const seen = new Map(waiting.map((each) => [nameOf(each), each.bulkOrderId]));
  for (const purchase of bought) seen.set(nameOf({ ...purchase, amount: purchase.amount.minor }), purchase.id);
  const found = new Map<number, string>();
  for (const each of valid) {
    const earlier = seen.get(nameOf(each));
    if (earlier !== undefined) found.set(each.row, earlier);
    else seen.set(nameOf(each), `row ${each.row}`);
  }
  return found;
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
    variant: string | null;
    amount: bigint;
    bulk_order_id: string;
  }>(sql`
    select r.recipient, r.product_id, r.variant, r.amount, r.bulk_order_id from bulk_rows r
    join bulk_orders o on o.merchant_id = ${merchantId} and o.id = r.bulk_order_id and o.status in ('running', 'paused')
    where r.merchant_id = ${merchantId} and r.status = 'ready' and r.recipient = any(${sql.param(recipients)}::text[]) and r.bulk_order_id <> ${orderId}`);
  return rows.map((row) => ({ ...row, productId: row.product_id, bulkOrderId: row.bulk_order_id }));
}
