import { sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { bulkRows } from "#db/schema/bulk.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import type { BulkRow } from "./bulk-row.ts";
import { buyRow } from "./buy-row.ts";
import { findDueOrders, finishOrder, type LeasedOrder, type OrderKey, pauseOrder, releaseLease, takeLease } from "./lease.ts";

const MAX_ORDERS = 10;
/** The wait before the next attempt after an error of the service, or while another worker buys the row. */
const RETRY_AFTER_MS = 5 * SECOND_MS;

/**
 * Buys the rows of running bulk orders of all merchants, one row of each order at a time, until none waits or `withinMs` have passed. An
 * obstacle pauses its order. Returns how many rows were bought.
 */
export const buyDueBulkRows = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, withinMs: number = 6 * SECOND_MS): Promise<number> => {
    const deadline = Date.now() + withinMs;
    let bought = 0;
    await forEachAtOnce(await findDueOrders(MAX_ORDERS), async (due) => {
      try {
        const more = await processOrder(due, deadline);
        // A statement of its own, because `sum += await …` reads the sum before the await and would lose other additions.
        bought += more;
      } catch (error) {
        log().error({ bulkOrderId: due.id, err: error }, "a bulk order could not be worked on; it is tried again");
      }
    });
    return bought;
  },
);

async function processOrder(due: OrderKey, deadline: number): Promise<number> {
  const order = await takeLease(due);
  if (!order) return 0;
  try {
    return await workOn(order, deadline);
  } catch (error) {
    await releaseLease(order, RETRY_AFTER_MS);
    throw error;
  }
}

async function workOn(order: LeasedOrder, deadline: number): Promise<number> {
  for (let bought = 0; ; bought++) {
    const row = await findNextRow(order);
    if (!row) {
      await finishOrder(order);
      return bought;
    }
    if (Date.now() >= deadline) {
      await releaseLease(order);
      return bought;
    }
    const outcome = await buyRow(order, row);
    if (outcome.status === "bought") continue;
    if (outcome.status === "obstacle") await pauseOrder(order, row.row, outcome.obstacle);
    else await releaseLease(order, RETRY_AFTER_MS);
    return bought;
  }
}

async function findNextRow({ merchantId, id }: LeasedOrder): Promise<BulkRow | undefined> {
  const [row] = await sql()`
    select * from bulk_rows where merchant_id = ${merchantId} and bulk_order_id = ${id} and status = 'ready' order by row limit 1`;
  return row && fromRow(bulkRows, row);
}
