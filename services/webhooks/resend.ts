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

const MAX_DAYS_AGO = 30;
/** In one call, oldest first. */
const MAX_AT_ONCE = 10_000;

/** Sends a delivery again, whatever became of it, with the whole retry table before it. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR. */
export async function resendDelivery(ctx: MerchantContext, id: string): Promise<Delivery> {
  const { endpointId } = await getDelivery(ctx, id);
  return transaction(async (tx) => {
    const endpoint = await findEndpointLocked(tx, ctx, endpointId);
    if (!endpoint) throw invalid("id", "The endpoint of this delivery was deleted. Nothing can be sent to it.");
    refuseDisabled(endpoint);
    await letThrough(tx, ctx, endpointId);
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
    // A request that is finished by its replay has been sent already.
    if (!sent) return getDelivery(ctx, id);
    afterCommit(tx, () => announceDeliveries(ctx.merchant.id, [endpointId]));
    return deliveryFromRow(sent);
  });
}

/** Whoever asks for something to be sent again says that the endpoint is ready for it. */
async function letThrough(tx: Tx, { merchant }: MerchantContext, endpointId: string): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ pausedUntil: null })
    .where(and(eq(webhookEndpoints.merchantId, merchant.id), eq(webhookEndpoints.id, endpointId)));
}

function refuseDisabled({ status }: Endpoint): void {
  if (status === "disabled") throw invalid("id", "The endpoint is disabled. Enable it, then send again.");
}

/**
 * Sends an endpoint everything since a time that it should have got and did not: what failed, what waits for a retry, and what happened
 * while it was disabled, by the event types that it has now.
 * At most 10,000 at a time, oldest first. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR.
 */
export async function resendFailedSince(ctx: MerchantContext, endpointId: string, since: Date): Promise<void> {
  const merchantId = ctx.merchant.id;
  if (since.getTime() > Date.now()) throw invalid("since", "Send a time that is not in the future.");
  if (since.getTime() < Date.now() - MAX_DAYS_AGO * DAY_MS) throw invalid("since", `Send a time of the last ${MAX_DAYS_AGO} days.`);
  const { createdAt } = await getEndpoint(ctx, endpointId);
  const from = new Date(Math.max(since.getTime(), createdAt.getTime()));
  const firstSequence = await firstSequenceSince(merchantId, from);
  await transaction(async (tx) => {
    // First, as everywhere: endpoint, then deliveries.
    const endpoint = await lockEndpoint(tx, ctx, endpointId);
    refuseDisabled(endpoint);
    await letThrough(tx, ctx, endpointId);
    await tx.execute(sql`
      insert into webhook_deliveries as d (merchant_id, id, endpoint_id, event_id, event_type, sequence)
      select e.merchant_id, ${deliveryIdOf(sql`${endpointId}::text`, sql`e.id`)}, ${endpointId}, e.id, e.type, e.sequence
      from events e
      left join webhook_deliveries known on known.merchant_id = e.merchant_id and known.id = ${deliveryIdOf(sql`${endpointId}::text`, sql`e.id`)}
      where e.merchant_id = ${merchantId} and e.sequence >= ${firstSequence} and e.created_at >= ${from.toISOString()}::timestamptz
        and (known.status in ('failed', 'pending') or (known.id is null and ${wants(endpoint)}))
      order by e.sequence limit ${MAX_AT_ONCE}
      on conflict (merchant_id, id) do update set status = 'pending', tries = 0, resends = d.resends + 1, next_attempt_at = now()
        where d.status = 'failed' or (d.status = 'pending' and d.attempt_count > 0)`);
    afterCommit(tx, () => announceDeliveries(merchantId, [endpointId]));
  });
}

const wants = ({ eventTypes }: Endpoint) => (eventTypes === null ? sql`true` : sql`e.type in ${eventTypes}`);

/** How many deliveries wait to be sent to an endpoint. */
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

/** Sends an endpoint a test event, once and without retries, also when it is disabled. Throws RESOURCE_NOT_FOUND. */
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
