import { and, eq, ne, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { MerchantContext } from "../../context.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { verb } from "../../verb.ts";
import type { Endpoint, EndpointWithSecret } from "../endpoint.ts";
import { checkedUrl } from "./endpoint-url.ts";
import { lockEndpoint } from "./read-endpoints.ts";
import { addSecret, noteNewSecret } from "./secrets.ts";

const MAX_ENDPOINTS = 20;

/**
 * Registers an address and returns its endpoint with the secret, which no later read returns. Throws VALIDATION_ERROR for an address that
 * we would not call, and when the merchant has 20 endpoints; and in live mode PERMISSION_DENIED while the member is restricted.
 */
export const createEndpoint = verb(
  { permission: "webhooks:write" },
  async (
    ctx: MerchantContext,
    { url: given, eventTypes }: { url: string; eventTypes: Endpoint["eventTypes"] },
  ): Promise<EndpointWithSecret> => {
    await requireUnrestrictedInLive(ctx);
    const url = checkedUrl(ctx, given);
    const merchantId = ctx.merchant.id;
    const endpointId = ctx.resourceId ?? newId("webhookEndpoint");
    return transaction(async (tx) => {
      // Locks the merchant, so that two requests at once cannot exceed the limit together.
      await tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
      const [{ there } = { there: 0 }] = await tx
        .select({ there: sql<number>`count(*)::int` })
        .from(webhookEndpoints)
        .where(
          and(eq(webhookEndpoints.merchantId, merchantId), ne(webhookEndpoints.status, "deleted"), ne(webhookEndpoints.id, endpointId)),
        );
      if (there >= MAX_ENDPOINTS) {
        throw invalid("url", `You have ${MAX_ENDPOINTS} webhook endpoints, which is the most. Delete one first.`);
      }
      const made = await tx
        .insert(webhookEndpoints)
        .values({ merchantId, id: endpointId, url, eventTypes })
        .onConflictDoNothing()
        .returning({ id: webhookEndpoints.id });
      const endpoint = await lockEndpoint(tx, ctx, endpointId);
      // The first secret has the endpoint's id, so that a replay which finishes this request makes no second secret.
      const owner = { merchantId, endpointId };
      const first = { id: endpointId, overlapMs: 0 };
      const { secret, isNew } = await addSecret(tx, owner, first);
      const after = { event_types: eventTypes, status: endpoint.status };
      if (made.length > 0) await noteInAudit(tx, ctx, { merchantId, action: "webhook_endpoint.created", subject: endpointId, after });
      if (isNew) await noteNewSecret(tx, ctx, owner, first);
      return { ...endpoint, secret };
    });
  },
);
