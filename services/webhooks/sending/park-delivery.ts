import { and, eq, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { transaction } from "#db/client.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { raiseOperatorAlert } from "../../alerts/index.ts";
import type { DueDelivery } from "./find-due.ts";

/** After this many answers that could not be stored, a delivery is not sent again. */
const MAX_UNSETTLED = 2;
/** Deliveries of which this process could not store an answer, and how often. */
const unsettled = new LRUCache<string, number>({ max: 10_000 });

const REASON = "It was sent, and our service could not store the answers. Send it again if you miss it.";

/** Forgets the count of a delivery's unstored answers, because one answer was stored. */
export const noteSettled = ({ id }: DueDelivery): boolean => unsettled.delete(id);

/**
 * Notes that an answer of a delivery could not be stored. The second time, ends the delivery and alerts the operators: it would be sent again
 * for ever, because no row shows that it was sent.
 */
export async function noteUnsettled(due: DueDelivery, isDelivered: boolean): Promise<void> {
  const times = (unsettled.get(due.id) ?? 0) + 1;
  unsettled.set(due.id, times);
  if (times >= MAX_UNSETTLED) await park(due, isDelivered);
}

/** Ends a delivery, unless its merchant has resent it since. */
async function park({ merchantId, id, mode, resends }: DueDelivery, isDelivered: boolean): Promise<void> {
  await transaction(async (tx) => {
    const parked = await tx
      .update(webhookDeliveries)
      .set({
        ...(isDelivered ? { status: "delivered", deliveredAt: sql`now()` } : { status: "failed" }),
        nextAttemptAt: null,
        lastError: REASON,
      })
      .where(
        and(
          eq(webhookDeliveries.merchantId, merchantId),
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.status, "pending"),
          eq(webhookDeliveries.resends, resends),
        ),
      )
      .returning({ id: webhookDeliveries.id });
    if (parked.length === 0) return;
    await raiseOperatorAlert(tx, mode, {
      type: "webhook_delivery.unsettled",
      message: "A webhook delivery was sent twice and its answer could not be stored. It is not sent again. The log has the errors.",
      resourceId: id,
    });
  });
  unsettled.delete(id);
}
