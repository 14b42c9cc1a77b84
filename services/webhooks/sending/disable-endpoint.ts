import { and, eq, type SQL, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { log } from "#lib/log.ts";
import { readableHost } from "#lib/readable-host.ts";
import { raiseAlert } from "../../alerts/index.ts";
import type { DisabledReason } from "../endpoint.ts";
import { disabledFor } from "../endpoints/disabled-for.ts";
import type { DueDelivery } from "./find-due.ts";

const MAX_FAILING_DAYS = 5;
const HOW_TO_GO_ON = "Repair it, enable it again, and have what it missed sent again.";

/** Disables an endpoint that answered 410: 410 means that its address is gone for good and must not be called. */
export async function disableGoneEndpoint(due: DueDelivery): Promise<void> {
  await disable(due, "gone", (host) => `The webhook endpoint of ${host} answered 410 Gone and was disabled. ${HOW_TO_GO_ON}`);
}

/** Disables an endpoint if no attempt has succeeded for five days. */
export async function disableFailingEndpoint(due: DueDelivery): Promise<void> {
  const forLong = sql`${webhookEndpoints.failingSince} <= now() - ${MAX_FAILING_DAYS} * interval '1 day'`;
  const message = (host: string) =>
    `The webhook endpoint of ${host} has failed for ${MAX_FAILING_DAYS} days and was disabled. ${HOW_TO_GO_ON}`;
  await disable(due, "failing", message, forLong);
}

/** Disables an enabled endpoint, unless its address changed since the call. The sweep fails its pending deliveries. */
async function disable(
  { merchantId, endpointId, url }: DueDelivery,
  reason: DisabledReason,
  messageFor: (host: string) => string,
  only?: SQL,
): Promise<void> {
  const called = and(
    eq(webhookEndpoints.merchantId, merchantId),
    eq(webhookEndpoints.id, endpointId),
    eq(webhookEndpoints.url, url),
    eq(webhookEndpoints.status, "enabled"),
    only,
  );
  await transaction(async (tx) => {
    const [disabled] = await tx
      .update(webhookEndpoints)
      .set({ status: "disabled", ...disabledFor(merchantId, reason) })
      .where(called)
      .returning({ id: webhookEndpoints.id });
    if (!disabled) return;
    // The host alone: the rest of an address may contain a secret.
    await raiseAlert(tx, merchantId, { type: "webhook_endpoint.disabled", message: messageFor(readableHost(url)), resourceId: endpointId });
    log().warn({ merchantId, endpointId, reason }, "a webhook endpoint was disabled");
  });
}
