import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { raiseAlert } from "../alerts/index.ts";
import type { OrderKey } from "./lease.ts";
import { pauseByHand } from "./stop-bulk-order.ts";
import { findLockedOrder } from "./supersede-row-leases.ts";

const MESSAGE = "The member who confirmed it says that somebody else was in the account.";

/**
 * Pauses every running order that a person has confirmed or resumed, in every business and both modes, and alerts the merchants. After the commit no
 * further purchase of them is stored. The time of the confirmation is not checked, because resuming does not change it. Returns their keys.
 */
export async function stopOrdersOf(tx: Tx, userId: string): Promise<OrderKey[]> {
  const running = await tx.execute<OrderKey & Record<string, unknown>>(sql`
    select /* of all merchants */ merchant_id as "merchantId", id from bulk_orders
    where status = 'running' and buyer_id = ${userId} order by merchant_id, id`);
  const stopped: OrderKey[] = [];
  for (const { merchantId, id } of running) {
    const order = await findLockedOrder(tx, { merchantId, id });
    if (order?.status !== "running" || order.buyerId !== userId) continue;
    await pauseByHand(tx, order, MESSAGE);
    const alert = { type: "bulk_order.paused", resourceId: id, cause: `${id}:${order.fencingToken}` } as const;
    await raiseAlert(tx, merchantId, { ...alert, message: `${MESSAGE} A member may let it go on.` });
    stopped.push({ merchantId, id });
  }
  return stopped;
}
