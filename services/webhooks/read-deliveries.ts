import { and, asc, eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { OPENS_DELIVERIES_OF_ENDPOINT, webhookAttempts, webhookDeliveries } from "#db/schema/webhooks.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { isBeyond, orderOf } from "../list-window.ts";
import { type Page, type PageRequest, readPage } from "../pagination.ts";
import { type Attempt, attemptFromRow, type Delivery, deliveryFromRow } from "./delivery.ts";
import { payloadOf } from "./payload.ts";

interface Filter extends PageRequest {
  endpoint_id?: string | undefined;
  status?: Delivery["status"] | undefined;
}

/** Returns one page of deliveries, newest first. Throws VALIDATION_ERROR for a cursor of another list. */
export const listDeliveries = ({ merchant }: MerchantContext, request: Filter): Promise<Page<Delivery>> =>
  readPage({
    owner: `${merchant.id}/webhook-deliveries`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const { endpoint_id: endpointId, status } = request;
      const rows = await db()
        .select()
        .from(webhookDeliveries)
        .where(
          and(
            eq(webhookDeliveries.merchantId, merchant.id),
            endpointId ? and(eq(webhookDeliveries.endpointId, endpointId), sql.raw(OPENS_DELIVERIES_OF_ENDPOINT)) : undefined,
            status ? eq(webhookDeliveries.status, status) : undefined,
            isBeyond(webhookDeliveries.id, window),
          ),
        )
        .orderBy(orderOf(webhookDeliveries.id, window))
        .limit(window.limit);
      return { rows: rows.map(deliveryFromRow) };
    },
  });

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

/** Returns a delivery with its request body and its stored attempts, oldest first. Throws RESOURCE_NOT_FOUND. */
export async function getDeliveryDetail(
  ctx: MerchantContext,
  id: string,
): Promise<{ delivery: Delivery; requestBody: string; attempts: Attempt[] }> {
  const delivery = await getDelivery(ctx, id);
  const rows = await db()
    .select()
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.merchantId, ctx.merchant.id), eq(webhookAttempts.deliveryId, id)))
    .orderBy(asc(webhookAttempts.number));
  return { delivery, requestBody: await payloadOf(delivery), attempts: rows.map(attemptFromRow) };
}
