import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { OPENS_DELIVERIES_OF_ENDPOINT, webhookAttempts, webhookDeliveries } from "#db/schema/webhooks.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import { type Attempt, attemptFromRow, type Delivery, deliveryFromRow } from "./delivery.ts";
import { payloadOf } from "./payload.ts";

interface Filter {
  limit: number;
  cursor?: string | undefined;
  endpoint_id?: string | undefined;
  status?: Delivery["status"] | undefined;
}

/** Returns one page of deliveries, newest first. Throws VALIDATION_ERROR for a cursor of another list. */
export async function listDeliveries({ merchant }: MerchantContext, request: Filter): Promise<Page<Delivery>> {
  const owner = `${merchant.id}/webhook-deliveries`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  const rows = await db()
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.merchantId, merchant.id),
        request.endpoint_id ? and(eq(webhookDeliveries.endpointId, request.endpoint_id), sql.raw(OPENS_DELIVERIES_OF_ENDPOINT)) : undefined,
        request.status ? eq(webhookDeliveries.status, request.status) : undefined,
        before ? lt(webhookDeliveries.id, before) : undefined,
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(request.limit + 1);
  return toPage(owner, rows.map(deliveryFromRow), request.limit, ({ id }) => id);
}

/** Returns a delivery of the merchant. Throws RESOURCE_NOT_FOUND. */
export async function getDelivery({ merchant }: MerchantContext, id: string): Promise<Delivery> {
  const [row] = await db()
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.merchantId, merchant.id), eq(webhookDeliveries.id, id)));
  if (!row) throw notFound("webhook delivery");
  return deliveryFromRow(row);
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
