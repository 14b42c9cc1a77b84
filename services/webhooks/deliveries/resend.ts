import { and, eq, type SQL, sql } from "drizzle-orm";
import { afterCommit, db, type Tx, transaction } from "#db/client.ts";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { announceDeliveries } from "../../events/index.ts";
import { verb } from "../../verb.ts";
import { type Delivery, deliveryFromRow, IS_RETRYING, TEST_EVENT } from "../delivery.ts";
import type { Endpoint } from "../endpoint.ts";
import { findEndpointLocked, lockEndpoint } from "../endpoints/read-endpoints.ts";
import { getDelivery } from "./read-deliveries.ts";

/**
 * Sends a delivery again, whatever its status, with the retry table from its start. Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR if the
 * endpoint is disabled or deleted.
 */
export const resendDelivery = verb({ permission: "webhooks:write" }, async (ctx: MerchantContext, id: string): Promise<Delivery> => {
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
  // No row changed: a replay resumes this request, which has already sent the delivery.
  return sentAgain ? deliveryFromRow(sentAgain) : getDelivery(ctx, id);
});

/** Ends the endpoint's pause, because a merchant who resends deliveries expects the endpoint to be ready. */
export async function clearPause(tx: Tx, { merchant }: MerchantContext, endpointId: string): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ pausedUntil: null })
    .where(and(eq(webhookEndpoints.merchantId, merchant.id), eq(webhookEndpoints.id, endpointId)));
}

/** Throws VALIDATION_ERROR for a disabled endpoint. */
export function refuseDisabled({ status }: Endpoint): void {
  if (status === "disabled") throw invalid("id", "The endpoint is disabled. Enable it, then send again.");
}

interface PendingCount {
  pending: number;
  /** Those of them for which `isRetrying` is true. */
  retrying: number;
}

/** The most deliveries of a kind that are counted. */
const MAX_PENDING = 100_000;

/** Counts the deliveries to an endpoint that are pending, without test events: at most 100,000 that were tried, and as many that were not. */
export async function countPending({ merchant }: MerchantContext, endpointId: string): Promise<PendingCount> {
  // Each half is the condition of an index.
  const half = (condition: SQL) => sql`
    select status, attempt_count, last_response_status from webhook_deliveries
    where merchant_id = ${merchant.id} and endpoint_id = ${endpointId} and status = 'pending' and event_type <> ${TEST_EVENT} and ${condition}
    limit ${MAX_PENDING}`;
  const [row] = await db().execute<{ pending: number; retrying: number }>(sql`
    select count(*)::int as pending, (count(*) filter (where ${sql.raw(IS_RETRYING)}))::int as retrying
    from ((${half(sql`attempt_count = 0`)}) union all (${half(sql`attempt_count > 0`)})) counted`);
  return row ?? { pending: 0, retrying: 0 };
}

/** Sends an endpoint a test event once, without retries, also if the endpoint is disabled or paused. Throws RESOURCE_NOT_FOUND. */
export const sendTestEvent = verb({ permission: "webhooks:write" }, async (ctx: MerchantContext, endpointId: string): Promise<Delivery> => {
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
});
