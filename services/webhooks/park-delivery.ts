import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { alertOperators } from "../alerts/index.ts";
import type { DueDelivery } from "./find-due.ts";

/** After so many answers that could not be stored, a delivery is not sent again. */
const MAX_UNSETTLED = 2;
/** Deliveries of which this process could not store an answer, and how often. */
const unsettled = new LRUCache<string, number>({ max: 10_000 });

const REASON = "It was sent, and our service could not store the answers. Send it again if you miss it.";

/** Forgets that answers of a delivery could not be stored, because one was. */
export const noteSettled = ({ id }: DueDelivery): boolean => unsettled.delete(id);

/**
 * Notes that an answer of a delivery could not be stored. The second time, ends the delivery and alerts the operators: it would be sent again
 * without end, because nothing says that it was sent.
 */
export async function noteUnsettled(due: DueDelivery, isDelivered: boolean): Promise<void> {
  const times = (unsettled.get(due.id) ?? 0) + 1;
  unsettled.set(due.id, times);
  if (times >= MAX_UNSETTLED) await park(due, isDelivered);
}

async function park({ merchantId, id, mode }: DueDelivery, isDelivered: boolean): Promise<void> {
  const state = isDelivered ? sql()`status = 'delivered', delivered_at = now()` : sql()`status = 'failed'`;
  const { count } = await sql()`
    update webhook_deliveries set ${state}, next_attempt_at = null, last_error = ${REASON}
    where merchant_id = ${merchantId} and id = ${id} and status = 'pending'`;
  if (count === 0) return;
  await alertOperators(mode, {
    type: "webhook_delivery.unsettled",
    message: "A webhook delivery was sent twice and its answer could not be stored. It is not sent again. The log has the errors.",
    resourceId: id,
  });
}
