import { and, eq, ne, sql } from "drizzle-orm";
import { afterCommit, db, type Tx, transaction } from "#db/client.ts";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MerchantContext } from "../context.ts";
import { announceDeliveries, deliveryIdOf, firstSequenceSince } from "../events/index.ts";
import { type Delivery, deliveryFromRow, TEST_EVENT } from "./delivery.ts";
import type { Endpoint } from "./endpoint.ts";
import { getDelivery } from "./read-deliveries.ts";
import { findEndpointLocked, getEndpoint, lockEndpoint } from "./read-endpoints.ts";

const MAX_AGE_DAYS = 30;
const MAX_PER_CALL = 10_000;

/**
 * Sends a delivery again, whatever its status, with the retry table from its start. Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR if the
 * endpoint is disabled or deleted.
 */
export async function resendDelivery(ctx: MerchantContext, id: string): Promise<Delivery> {
  const { endpointId } = await getDelivery(ctx, id);
  const sentAgain = await transaction(async (tx) => {
    const endpoint = await findEndpointLocked(tx, ctx, endpointId);
    if (!endpoint) throw invalid("id", "The endpoint of this delivery was deleted. Nothing can be sent to it.");
    refuseDisabled(endpoint);
    await clearPause(tx, ctx, endpointId);
    const resendId = ctx.resourceId ?? newId("request");
    const [sent] = await tx
      .update(webhookDeliveries)
      .set({
        status: "pending",
        tries: 0,
        resends: sql`${webhookDeliveries.resends} + 1`,
        lastResendId: resendId,
        nextAttemptAt: sql`now()`,
        deliveredAt: null,
      })
      .where(
        and(
          eq(webhookDeliveries.merchantId, ctx.merchant.id),
          eq(webhookDeliveries.id, id),
          sql`${webhookDeliveries.lastResendId} is distinct from ${resendId}`,
        ),
      )
      .returning();
    if (sent) afterCommit(tx, () => announceDeliveries(ctx.merchant.id, [endpointId]));
    return sent;
  });
  // No row changed: this request is resumed by a replay, and has sent the delivery already.
  return sentAgain ? deliveryFromRow(sentAgain) : getDelivery(ctx, id);
}

/** Ends the endpoint's pause: a merchant who asks for deliveries again says that the endpoint is ready. */
async function clearPause(tx: Tx, { merchant }: MerchantContext, endpointId: string): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ pausedUntil: null })
    .where(and(eq(webhookEndpoints.merchantId, merchant.id), eq(webhookEndpoints.id, endpointId)));
}

function refuseDisabled({ status }: Endpoint): void {
  if (status === "disabled") throw invalid("id", "The endpoint is disabled. Enable it, then send again.");
}

/**
 * Sends an endpoint the events since a time that it did not get: failed deliveries, pending retries, and events of the types that it now
 * wants for which it has no delivery, because it was disabled. Sends at most 10,000 in one call, oldest first. Throws
 * RESOURCE_NOT_FOUND, and VALIDATION_ERROR for a time outside of the last 30 days or a disabled endpoint.
 */
export async function resendFailedSince(ctx: MerchantContext, endpointId: string, since: Date): Promise<void> {
  const merchantId = ctx.merchant.id;
  if (since.getTime() > Date.now()) throw invalid("since", "Send a time that is not in the future.");
  if (since.getTime() < Date.now() - MAX_AGE_DAYS * DAY_MS) throw invalid("since", `Send a time of the last ${MAX_AGE_DAYS} days.`);
  const { createdAt } = await getEndpoint(ctx, endpointId);
  const from = new Date(Math.max(since.getTime(), createdAt.getTime()));
  const firstSequence = await firstSequenceSince(merchantId, from);
  await transaction(async (tx) => {
    // Lock order everywhere: the endpoint before its deliveries.
    const endpoint = await lockEndpoint(tx, ctx, endpointId);
    refuseDisabled(endpoint);
    await clearPause(tx, ctx, endpointId);
    await tx.execute(sql`
      insert into webhook_deliveries as d (merchant_id, id, endpoint_id, event_id, event_type, sequence)
      select e.merchant_id, ${deliveryIdOf(sql`${endpointId}::text`, sql`e.id`)}, ${endpointId}, e.id, e.type, e.sequence
      from events e
      left join webhook_deliveries known on known.merchant_id = e.merchant_id and known.id = ${deliveryIdOf(sql`${endpointId}::text`, sql`e.id`)}
      where e.merchant_id = ${merchantId} and e.sequence >= ${firstSequence} and e.created_at >= ${from.toISOString()}::timestamptz
        and (known.status in ('failed', 'pending') or (known.id is null and ${wants(endpoint)}))
      order by e.sequence limit ${MAX_PER_CALL}
      on conflict (merchant_id, id) do update set status = 'pending', tries = 0, resends = d.resends + 1, next_attempt_at = now()
        where d.status = 'failed' or (d.status = 'pending' and d.attempt_count > 0)`);
    afterCommit(tx, () => announceDeliveries(merchantId, [endpointId]));
  });
}

const wants = ({ eventTypes }: Endpoint) => (eventTypes === null ? sql`true` : sql`e.type in ${eventTypes}`);

/** Returns how many deliveries to an endpoint are pending, without test events. */
export async function countPending({ merchant }: MerchantContext, endpointId: string): Promise<number> {
  const [row] = await db()
    .select({ pending: sql<number>`count(*)::int` })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.merchantId, merchant.id),
        eq(webhookDeliveries.endpointId, endpointId),
        eq(webhookDeliveries.status, "pending"),
        ne(webhookDeliveries.eventType, TEST_EVENT),
      ),
    );
  return row?.pending ?? 0;
}

/** Sends an endpoint a test event once, without retries, also if the endpoint is disabled or paused. Throws RESOURCE_NOT_FOUND. */
export async function sendTestEvent(ctx: MerchantContext, endpointId: string): Promise<Delivery> {
  return transaction(async (tx) => {
    await lockEndpoint(tx, ctx, endpointId);
    const id = ctx.resourceId ?? newId("webhookDelivery");
    await tx
      .insert(webhookDeliveries)
      .values({ merchantId: ctx.merchant.id, id, endpointId, eventId: newId("event"), eventType: TEST_EVENT, sequence: 0n })
      .onConflictDoNothing();
    const [made] = await tx
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.merchantId, ctx.merchant.id), eq(webhookDeliveries.id, id)));
    if (!made) throw new Error(`delivery ${id} was not made`);
    afterCommit(tx, () => announceDeliveries(ctx.merchant.id, [endpointId]));
    return deliveryFromRow(made);
  });
}
