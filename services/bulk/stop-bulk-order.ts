import { sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { invalid } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import { verb } from "../verb.ts";
import type { BulkOrderRow } from "./bulk-row.ts";
import { type BulkOrder, getBulkOrder } from "./read-bulk-orders.ts";
import { lockBulkOrder, supersedeRowLeases } from "./supersede-row-leases.ts";

/**
 * Pauses a running order. After the answer no further purchase of it is stored; one that was stored before goes on. Does nothing to an
 * order that does not run. Throws RESOURCE_NOT_FOUND.
 */
export const stopBulkOrder = verb({ permission: "vtu:write" }, async (ctx: MemberContext, id: string): Promise<BulkOrder> => {
  await transaction(async (tx) => {
    await markExecuted(tx, ctx);
    const order = await lockBulkOrder(tx, ctx, id);
    if (order.status !== "running") return;
    await pauseByHand(tx, order, "A member stopped the order.");
  });
  return getBulkOrder(ctx, id);
});

/** Pauses a running order. The caller has locked it. */
export async function pauseByHand(tx: Tx, order: BulkOrderRow, message: string): Promise<void> {
  await supersedeRowLeases(tx, order);
  await tx.execute(sql`
    update bulk_orders set status = 'paused', pause_reason = 'stopped', pause_message = ${message}, paused_row = null
    where merchant_id = ${order.merchantId} and id = ${order.id}`);
}

/** Cancels a draft or a paused order: rows not bought are skipped. Idempotent. Throws RESOURCE_NOT_FOUND, or VALIDATION_ERROR otherwise. */
export const cancelBulkOrder = verb({ permission: "vtu:write" }, async (ctx: MemberContext, id: string): Promise<BulkOrder> => {
  await transaction(async (tx) => {
    await markExecuted(tx, ctx);
    const order = await lockBulkOrder(tx, ctx, id);
    if (order.status === "cancelled") return;
    if (order.status === "running") throw invalid("id", "This bulk order is running. Stop it first.");
    if (order.status === "done") throw invalid("id", "This bulk order is done: there is nothing left to cancel.");
    await supersedeRowLeases(tx, order);
    await tx.execute(sql`
      update bulk_rows set status = 'skipped' where merchant_id = ${order.merchantId} and bulk_order_id = ${id} and status in ('ready', 'duplicate')`);
    await tx.execute(sql`
      update bulk_orders set status = 'cancelled', completed_at = now(), pause_reason = null, pause_message = null, paused_row = null
      where merchant_id = ${order.merchantId} and id = ${id}`);
  });
  return getBulkOrder(ctx, id);
});
