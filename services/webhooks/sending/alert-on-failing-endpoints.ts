import { and, asc, eq, not, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { readableHost } from "#lib/readable-host.ts";
import { lagosDateTime } from "#lib/time.ts";
import { isAlerted, raiseAlert } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { verb } from "../../verb.ts";

const MAX_ROWS = 200;

/**
 * Alerts merchants to endpoints that have failed for an hour, once per outage. Shorter outages are usual, and events are sent again. Returns how
 * many it alerted to, at most 200.
 */
export const alertOnFailingEndpoints = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const { merchantId, id, url, status, failingSince } = webhookEndpoints;
  const cause = sql<string>`${id} || ':' || extract(epoch from ${failingSince})`;
  const failing = await db()
    .select({ merchantId, id, url, failingSince, cause })
    .from(webhookEndpoints)
    .where(
      and(
        eq(status, "enabled"),
        sql`${failingSince} < now() - interval '1 hour'`,
        not(isAlerted(merchantId, "webhook_endpoint.failing", cause)),
      ),
    )
    .orderBy(asc(failingSince))
    .limit(MAX_ROWS);
  for (const endpoint of failing) {
    await raiseAlert(db(), endpoint.merchantId, {
      ...{ type: "webhook_endpoint.failing", resourceId: endpoint.id, cause: endpoint.cause },
      message: `${readableHost(endpoint.url)} has not taken events since ${lagosDateTime(endpoint.failingSince ?? new Date())}. Events wait and are sent again. If it fails for five days, it is switched off.`,
    });
  }
  return failing.length;
});
