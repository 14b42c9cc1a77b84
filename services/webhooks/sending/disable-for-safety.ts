import { and, asc, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { readableHost } from "#lib/readable-host.ts";
import { raiseAlert } from "../../alerts/index.ts";
import { disabledFor } from "../endpoints/disabled-for.ts";

/** The actions of audit entries that create an endpoint, change its address, or show a secret of it. */
export const ENDPOINT_ACTIONS = ["webhook_endpoint.created", "webhook_endpoint.changed", "webhook_secret.added"] as const;

/**
 * Disables the enabled ones of the given endpoints, because a thief may have made or changed them, and alerts the merchant. A member or
 * a key enables them again. Returns their ids.
 */
export async function disableForSafety(tx: Tx, merchantId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const isOne = and(
    ...[eq(webhookEndpoints.merchantId, merchantId), inArray(webhookEndpoints.id, [...ids]), eq(webhookEndpoints.status, "enabled")],
  );
  // Locks them in one order, so that two such calls do not deadlock.
  const found = await tx
    .select({ id: webhookEndpoints.id, url: webhookEndpoints.url })
    .from(webhookEndpoints)
    .where(isOne)
    .orderBy(asc(webhookEndpoints.id))
    .for("update");
  if (found.length === 0) return [];
  await tx
    .update(webhookEndpoints)
    .set({ status: "disabled", ...disabledFor(merchantId, "merchant") })
    .where(isOne);
  for (const { id, url } of found) {
    const message = `The webhook endpoint of ${readableHost(url)} was disabled: a member who has made or changed it says that somebody else was in the account. Look at its address and give it a new secret, then enable it again.`;
    await raiseAlert(tx, merchantId, { type: "webhook_endpoint.disabled", message, resourceId: id });
  }
  return found.map(({ id }) => id);
}
