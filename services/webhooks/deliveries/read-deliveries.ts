import { and, asc, eq, gt, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { webhookAttempts, webhookDeliveries } from "#db/schema/webhooks.ts";
import { LOGS_KEPT_MS } from "#db/weeks.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { type Attempt, attemptFromRow, type Delivery, deliveryFromRow } from "../delivery.ts";
import { payloadOf } from "../sending/payload.ts";

/** Returns a delivery of the merchant. */
export async function findDelivery({ merchant }: MerchantContext, id: string): Promise<Delivery | undefined> {
  const [row] = await db()
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.merchantId, merchant.id), eq(webhookDeliveries.id, id)));
  return row && deliveryFromRow(row);
}

/** As `findDelivery`. Throws RESOURCE_NOT_FOUND. */
export async function getDelivery(ctx: MerchantContext, id: string): Promise<Delivery> {
  const delivery = await findDelivery(ctx, id);
  if (!delivery) throw notFound("webhook delivery");
  return delivery;
}

/** Returns a delivery with its request body and its attempts of the last 30 days, oldest first. Throws RESOURCE_NOT_FOUND. */
export const getDeliveryDetail = verb(
  { permission: "webhooks:read" },
  async (ctx: MerchantContext, id: string): Promise<{ delivery: Delivery; requestBody: string; attempts: Attempt[] }> => {
    const delivery = await getDelivery(ctx, id);
    const rows = await db()
      .select()
      .from(webhookAttempts)
      .where(
        and(
          eq(webhookAttempts.merchantId, ctx.merchant.id),
          eq(webhookAttempts.deliveryId, id),
          gt(webhookAttempts.startedAt, sql`now() - ${LOGS_KEPT_MS} * interval '1 ms'`),
        ),
      )
      .orderBy(asc(webhookAttempts.number));
    return { delivery, requestBody: await payloadOf(delivery), attempts: rows.map(attemptFromRow) };
  },
);
