import { sql as sqlOf } from "drizzle-orm";
import { sql, transaction } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { bulkOrders } from "#db/schema/bulk.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { raiseAlert } from "../alerts/index.ts";
import type { BulkOrderRow } from "./bulk-row.ts";

/** A running order whose lease this process has. `fencingToken` rises with each lease. */
export type LeasedOrder = BulkOrderRow;

export type OrderKey = Pick<BulkOrderRow, "merchantId" | "id">;

/** Longer than one row takes. The lease is extended before each row. */
const LEASE_MS = MINUTE_MS;

/** Returns running orders without a lease: of each merchant the longest waiting one, so that many orders of one do not delay others. */
export async function findDueOrders(limit: number): Promise<OrderKey[]> {
  return await sql()<OrderKey[]>`
    select /* of all merchants */ merchant_id as "merchantId", id from (
      select distinct on (merchant_id) merchant_id, id, locked_until from bulk_orders where status = 'running' and locked_until <= now()
      order by merchant_id, locked_until, id
    ) longest order by locked_until limit ${limit}`;
}

/** Takes the lease of an order. Returns undefined if another worker has it, or if a member is changing the order. */
export async function takeLease({ merchantId, id }: OrderKey): Promise<LeasedOrder | undefined> {
  const [row] = await sql()`
    update bulk_orders set fencing_token = fencing_token + 1, locked_until = now() + ${LEASE_MS} * interval '1 ms'
    where merchant_id = ${merchantId} and id = (
      select id from bulk_orders where merchant_id = ${merchantId} and id = ${id} and status = 'running' and locked_until <= now()
      for update skip locked
    ) returning *`;
  return row && fromRow(bulkOrders, row);
}

const leased = ({ merchantId, id, fencingToken }: LeasedOrder) => sql()`
  merchant_id = ${merchantId} and id = ${id} and fencing_token = ${fencingToken} and status = 'running'`;

/**
 * Extends the lease and stores the purchase's id in the row, in one statement. Returns false, and stores nothing, if the order is no longer
 * running, another worker has its lease, or the row is not ready. Waits for the transaction of a member who is stopping the order.
 */
export async function beginRow(order: LeasedOrder, row: number, purchaseId: string): Promise<boolean> {
  const rows = await sql()`
    with o as (
      update bulk_orders set locked_until = now() + ${LEASE_MS} * interval '1 ms' where ${leased(order)} returning id
    )
    update bulk_rows r set purchase_id = ${purchaseId} from o
    where r.merchant_id = ${order.merchantId} and r.bulk_order_id = o.id and r.row = ${row} and r.status = 'ready' returning 1`;
  return rows.length === 1;
}

/** Makes the order due again after this time. Does nothing if the lease is superseded. */
export async function releaseLease(order: LeasedOrder, afterMs = 0): Promise<void> {
  await sql()`update bulk_orders set locked_until = date_trunc('milliseconds', now()) + ${afterMs} * interval '1 ms' where ${leased(order)}`;
}

/**
 * Pauses the order at the row with the obstacle, and alerts the merchant, because the order does not continue by itself. Does nothing if the
 * lease is superseded.
 */
export async function pauseOrder(order: LeasedOrder, row: number, { reason, message }: { reason: string; message: string }): Promise<void> {
  const { merchantId, id, fencingToken } = order;
  await transaction(async (tx) => {
    const paused = await tx.execute(sqlOf`
      update bulk_orders set status = 'paused', pause_reason = ${reason}, pause_message = ${message}, paused_row = ${row}
      where merchant_id = ${merchantId} and id = ${id} and fencing_token = ${fencingToken} and status = 'running' returning 1`);
    if (paused.length === 0) return;
    const alert = { type: "bulk_order.paused", resourceId: id, cause: `${id}:${fencingToken}` } as const;
    await raiseAlert(tx, merchantId, { ...alert, message: `It stopped at row ${row}, and the rows from there on wait. ${message}` });
  });
}

/** Ends the order, unless a row still waits. Does nothing if the lease is superseded. */
export async function finishOrder(order: LeasedOrder): Promise<void> {
  await sql()`
    update bulk_orders set status = 'done', completed_at = now() where ${leased(order)}
      and not exists (select from bulk_rows where merchant_id = ${order.merchantId} and bulk_order_id = ${order.id} and status = 'ready')`;
}
