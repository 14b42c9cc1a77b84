import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { bulkOrders } from "#db/schema/bulk.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import type { BulkOrderRow } from "./bulk-row.ts";
import type { OrderKey } from "./lease.ts";
import { SCOPE } from "./row-key.ts";

/** Locks a bulk order until the transaction ends. Throws RESOURCE_NOT_FOUND. */
export async function lockBulkOrder(tx: Tx, { merchant }: MerchantContext, id: string): Promise<BulkOrderRow> {
  const order = await findLockedOrder(tx, { merchantId: merchant.id, id });
  if (!order) throw notFound("bulk order");
  return order;
}

/** As `lockBulkOrder`. Returns undefined for an unknown order. */
export async function findLockedOrder(tx: Tx, { merchantId, id }: OrderKey): Promise<BulkOrderRow | undefined> {
  const [row] = await tx.execute(sql`select * from bulk_orders where merchant_id = ${merchantId} and id = ${id} for update`);
  return row && fromRow(bulkOrders, row);
}

/**
 * Supersedes every lease on the rows of a locked order, so that no purchase of it is stored from now until it runs again, and marks as bought
 * the rows whose purchase is stored. A worker that takes a row's lease later checks the order before it buys, and there waits for this one.
 */
export async function supersedeRowLeases(tx: Tx, { merchantId, id }: Pick<BulkOrderRow, "merchantId" | "id">): Promise<void> {
  await tx.execute(sql`
    update idempotency_keys set state = 'unknown'
    where merchant_id = ${merchantId} and scope = ${SCOPE} and state = 'running'
      and key in (select bulk_order_id || ':' || row from bulk_rows where merchant_id = ${merchantId} and bulk_order_id = ${id} and status = 'ready')`);
  await adoptPurchases(tx, { merchantId, id });
}

/** Marks as bought the rows whose purchase is stored, although the worker was killed before it could do so. */
export async function adoptPurchases(tx: Tx, { merchantId, id }: Pick<BulkOrderRow, "merchantId" | "id">): Promise<void> {
  await tx.execute(sql`
    update bulk_rows r set status = 'bought', amount = p.amount from purchases p
    where r.merchant_id = ${merchantId} and r.bulk_order_id = ${id} and r.status = 'ready' and p.merchant_id = ${merchantId} and p.id = r.purchase_id`);
}
