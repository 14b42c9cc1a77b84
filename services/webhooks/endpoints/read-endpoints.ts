import { and, eq, ne } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { isBeyond, orderOf } from "../../list-window.ts";
import { type Page, type PageRequest, readPage } from "../../pagination.ts";
import { type Endpoint, endpointFromRow } from "../endpoint.ts";

const existing = (merchantId: string, id: string) =>
  and(eq(webhookEndpoints.merchantId, merchantId), eq(webhookEndpoints.id, id), ne(webhookEndpoints.status, "deleted"));

/** Returns an endpoint of the merchant that is not deleted. */
export async function findEndpoint({ merchant }: MerchantContext, id: string): Promise<Endpoint | undefined> {
  const [row] = await db().select().from(webhookEndpoints).where(existing(merchant.id, id));
  return row && endpointFromRow(row);
}

/** As `findEndpoint`. Throws RESOURCE_NOT_FOUND. */
export async function getEndpoint(ctx: MerchantContext, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(ctx, id);
  if (!endpoint) throw notFound("webhook endpoint");
  return endpoint;
}

/** Locks the row of an endpoint until the transaction ends. Returns undefined if it does not exist or was deleted. */
export async function findEndpointLocked(tx: Tx, { merchant }: MerchantContext, id: string): Promise<Endpoint | undefined> {
  const [row] = await tx.select().from(webhookEndpoints).where(existing(merchant.id, id)).for("update");
  return row && endpointFromRow(row);
}

/** Locks an endpoint as `findEndpointLocked` does. Throws RESOURCE_NOT_FOUND. */
export async function lockEndpoint(tx: Tx, ctx: MerchantContext, id: string): Promise<Endpoint> {
  const endpoint = await findEndpointLocked(tx, ctx, id);
  if (!endpoint) throw notFound("webhook endpoint");
  return endpoint;
}

/** Returns one page of endpoints, newest first. Throws VALIDATION_ERROR for a cursor of another list. */
export const listEndpoints = ({ merchant }: MerchantContext, request: PageRequest): Promise<Page<Endpoint>> =>
  readPage({
    owner: `${merchant.id}/webhook-endpoints`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const isListed = and(
        eq(webhookEndpoints.merchantId, merchant.id),
        ne(webhookEndpoints.status, "deleted"),
        isBeyond(webhookEndpoints.id, window),
      );
      const rows = await db()
        .select()
        .from(webhookEndpoints)
        .where(isListed)
        .orderBy(orderOf(webhookEndpoints.id, window))
        .limit(window.limit);
      return { rows: rows.map(endpointFromRow) };
    },
  });
