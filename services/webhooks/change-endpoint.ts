import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { webhookDeliveries, webhookEndpoints, webhookSecrets } from "#db/schema/webhooks.ts";
import type { Context } from "../context.ts";
import type { Endpoint, EndpointStatus } from "./endpoint.ts";
import { refuseUnsafeUrl } from "./endpoint-url.ts";
import { lockEndpoint, toEndpoint } from "./read-endpoints.ts";

interface Changes {
  url?: string | undefined;
  eventTypes?: Endpoint["eventTypes"] | undefined;
  status?: EndpointStatus | undefined;
}

const rowOf = ({ merchantId, id }: { merchantId: string; id: string }) =>
  and(eq(webhookEndpoints.merchantId, merchantId), eq(webhookEndpoints.id, id));

/** Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR for an address that we would not call. */
export async function changeEndpoint(ctx: Context, id: string, { url, eventTypes, status }: Changes): Promise<Endpoint> {
  if (url !== undefined) refuseUnsafeUrl(ctx, url);
  return transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, ctx, id);
    const changesStatus = status !== undefined && status !== endpoint.status;
    const [changed = undefined] = await tx
      .update(webhookEndpoints)
      .set({
        // An update of nothing is refused by the database.
        url: url ?? endpoint.url,
        ...(eventTypes !== undefined && { eventTypes }),
        // Another address has not failed yet.
        ...(url !== undefined && url !== endpoint.url && { failingSince: null }),
        ...(changesStatus && status === "enabled" && { status, disabledReason: null, disabledAt: null, failingSince: null }),
        ...(changesStatus && status === "disabled" && { status, disabledReason: "merchant", disabledAt: sql`now()` }),
      })
      .where(rowOf(endpoint))
      .returning();
    if (!changed) throw new Error(`endpoint ${id} went away under our lock`);
    if (changesStatus && status === "disabled") await failPendingDeliveries(tx, endpoint);
    return toEndpoint(changed);
  });
}

/** Deletes it and its secrets. Its deliveries stay to be read. Throws RESOURCE_NOT_FOUND. */
export async function deleteEndpoint(ctx: Context, id: string): Promise<void> {
  await transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, ctx, id);
    await tx
      .update(webhookEndpoints)
      .set({ status: "deleted", disabledReason: null, disabledAt: null, failingSince: null })
      .where(rowOf(endpoint));
    await tx
      .delete(webhookSecrets)
      .where(and(eq(webhookSecrets.merchantId, endpoint.merchantId), eq(webhookSecrets.endpointId, endpoint.id)));
    await failPendingDeliveries(tx, endpoint);
  });
}

/** Nothing more is sent to an endpoint that is not enabled. What waited may be sent again later. */
export async function failPendingDeliveries(tx: Tx, { merchantId, id }: { merchantId: string; id: string }): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ status: "failed", nextAttemptAt: null })
    .where(
      and(eq(webhookDeliveries.merchantId, merchantId), eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.status, "pending")),
    );
}
