import { and, eq, sql } from "drizzle-orm";
import { afterCommit, type Tx, transaction } from "#db/client.ts";
import { webhookEndpoints, webhookSecrets } from "#db/schema/webhooks.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { MerchantContext } from "../../context.ts";
import { announceDeliveries } from "../../events/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { verb } from "../../verb.ts";
import { type Endpoint, type EndpointStatus, endpointFromRow } from "../endpoint.ts";
import { disabledFor } from "./disabled-for.ts";
import { checkedUrl } from "./endpoint-url.ts";
import { lockEndpoint } from "./read-endpoints.ts";

interface Changes {
  url?: string | undefined;
  eventTypes?: Endpoint["eventTypes"] | undefined;
  status?: EndpointStatus | undefined;
}

const rowOf = ({ merchantId, id }: { merchantId: string; id: string }) =>
  and(eq(webhookEndpoints.merchantId, merchantId), eq(webhookEndpoints.id, id));

/** Enabling does not send missed events, so the record of missed events is kept. */
const HEALTHY = { failingSince: null, lastFailedAt: null, pausedUntil: null };

/**
 * Changes the given fields. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR for an address that we would not call, and in live mode PERMISSION_DENIED
 * while the member is restricted, who may disable an endpoint and nothing else.
 */
export const changeEndpoint = verb(
  { permission: "webhooks:write" },
  async (ctx: MerchantContext, id: string, { url: given, eventTypes, status }: Changes): Promise<Endpoint> => {
    const url = given === undefined ? undefined : checkedUrl(ctx, given);
    return transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, ctx, id);
      if (sendsMore(changesOf(endpoint, { url, eventTypes, status }))) await requireUnrestrictedInLive(ctx, tx);
      const [changed] = await tx
        .update(webhookEndpoints)
        .set({
          // Always set, because Drizzle refuses an update without a column.
          url: url ?? endpoint.url,
          ...(eventTypes !== undefined && { eventTypes }),
          // The failures were those of the old address.
          ...(url !== undefined && url !== endpoint.url && HEALTHY),
          // Enabling also ends the pause of an endpoint that is enabled already: its merchant wants it to be called now.
          ...(status === "enabled" && { status, disabledReason: null, disabledAt: null, ...HEALTHY }),
          ...(status === "disabled" && endpoint.status === "enabled" && { status, ...disabledFor(endpoint.merchantId, "merchant") }),
        })
        .where(rowOf(endpoint))
        .returning();
      if (!changed) throw new Error(`the locked endpoint ${id} was not found`);
      await noteChange(tx, ctx, endpoint, { url, eventTypes, status });
      afterCommit(tx, () => announceDeliveries(endpoint.merchantId, [id]));
      return endpointFromRow(changed);
    });
  },
);

const isSame = (one: Endpoint["eventTypes"], other: Endpoint["eventTypes"]) =>
  JSON.stringify(one?.toSorted() ?? null) === JSON.stringify(other?.toSorted() ?? null);

/** Returns the given fields that differ from the endpoint's. The order of event types means nothing. */
const changesOf = (endpoint: Endpoint, { url, eventTypes, status }: Changes): Changes => ({
  ...(url !== undefined && url !== endpoint.url && { url }),
  ...(eventTypes !== undefined && !isSame(eventTypes, endpoint.eventTypes) && { eventTypes }),
  ...(status !== undefined && status !== endpoint.status && { status }),
});

/** Returns whether a change may send events that were not sent before, or send them elsewhere. */
const sendsMore = ({ url, eventTypes, status }: Changes): boolean => url !== undefined || eventTypes !== undefined || status === "enabled";

/** Notes the fields that change, if one does. An address may contain a secret, so the entry says only that it is a new one. */
async function noteChange(tx: Tx, ctx: MerchantContext, endpoint: Endpoint, given: Changes): Promise<void> {
  const { url, eventTypes, status } = changesOf(endpoint, given);
  if (url === undefined && eventTypes === undefined && status === undefined) return;
  await noteInAudit(tx, ctx, {
    ...{ merchantId: endpoint.merchantId, action: "webhook_endpoint.changed", subject: endpoint.id },
    before: {
      ...(eventTypes !== undefined && { event_types: endpoint.eventTypes }),
      ...(status !== undefined && { status: endpoint.status }),
    },
    after: {
      ...(url !== undefined && { url_changed: true }),
      ...(eventTypes !== undefined && { event_types: eventTypes }),
      ...(status !== undefined && { status }),
    },
  });
}

/** Deletes an endpoint and its secrets. The sweep fails its pending deliveries, which stay readable. Throws RESOURCE_NOT_FOUND. */
export const deleteEndpoint = verb({ permission: "webhooks:write" }, async (ctx: MerchantContext, id: string): Promise<void> => {
  await transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, ctx, id);
    await tx
      .delete(webhookSecrets)
      .where(and(eq(webhookSecrets.merchantId, endpoint.merchantId), eq(webhookSecrets.endpointId, endpoint.id)));
    await tx
      .update(webhookEndpoints)
      .set({ status: "deleted", deletedAt: sql`now()`, disabledReason: null, disabledAt: null })
      .where(rowOf(endpoint));
    const { merchantId, eventTypes, status } = endpoint;
    const before = { event_types: eventTypes, status };
    await noteInAudit(tx, ctx, { merchantId, action: "webhook_endpoint.deleted", subject: id, before, after: { status: "deleted" } });
  });
});
