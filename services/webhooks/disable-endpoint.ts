import { and, eq, type SQL, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { log } from "#lib/log.ts";
import { raiseAlert } from "../alerts/index.ts";
import { failPendingDeliveries } from "./change-endpoint.ts";
import type { DisabledReason } from "./endpoint.ts";
import type { LaneKey } from "./find-due.ts";

const MOST_DAYS_OF_FAILURE = 5;
const HOW_TO_GO_ON = "Repair it, enable it again, and have what it missed sent again.";

/** It answered 410: there is nothing there any more, and nobody wants to be called. */
export async function disableGoneEndpoint(lane: LaneKey): Promise<void> {
  await disable(lane, "gone", (url) => `The webhook endpoint ${url} answered 410 Gone and was disabled. ${HOW_TO_GO_ON}`);
}

/** Disables an endpoint of which no attempt has succeeded for five days. */
export async function disableFailingEndpoint(lane: LaneKey): Promise<void> {
  const forLong = sql`${webhookEndpoints.failingSince} <= now() - ${MOST_DAYS_OF_FAILURE} * interval '1 day'`;
  const message = (url: string) =>
    `The webhook endpoint ${url} has failed for ${MOST_DAYS_OF_FAILURE} days and was disabled. ${HOW_TO_GO_ON}`;
  await disable(lane, "failing", message, forLong);
}

async function disable(
  { merchantId, endpointId }: LaneKey,
  reason: DisabledReason,
  messageFor: (url: string) => string,
  only?: SQL,
): Promise<void> {
  await transaction(async (tx) => {
    const [disabled] = await tx
      .update(webhookEndpoints)
      .set({ status: "disabled", disabledReason: reason, disabledAt: sql`now()` })
      .where(
        and(eq(webhookEndpoints.merchantId, merchantId), eq(webhookEndpoints.id, endpointId), eq(webhookEndpoints.status, "enabled"), only),
      )
      .returning({ url: webhookEndpoints.url });
    if (!disabled) return;
    await failPendingDeliveries(tx, { merchantId, id: endpointId });
    await raiseAlert(tx, merchantId, { type: "webhook_endpoint.disabled", message: messageFor(disabled.url), resourceId: endpointId });
    log().warn({ merchantId, endpointId, reason }, "a webhook endpoint was disabled");
  });
}
