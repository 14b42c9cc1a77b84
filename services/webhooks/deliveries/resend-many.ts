import { and, eq, inArray, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { resendDelivery } from "./resend.ts";

/** A request with an id that a replay has too. */
type Resending = MerchantContext & { resourceId: string };

/**
 * Sends deliveries again as `resendDelivery` does, one after the other. Leaves out those that cannot be sent: they are unknown, or their
 * endpoint is disabled or deleted. `countResent` returns how many were sent.
 */
export const resendDeliveries = verb({ permission: "webhooks:write" }, async (ctx: Resending, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    try {
      await resendDelivery(ctx, id);
    } catch (error) {
      if (!(error instanceof Problem) || !LEFT_OUT.has(error.code)) throw error;
    }
  }
});

const LEFT_OUT = new Set<Problem["code"]>(["RESOURCE_NOT_FOUND", "VALIDATION_ERROR"]);

/** Returns how many of these deliveries were last resent by this request. */
export async function countResent({ merchant, resourceId }: Resending, ids: readonly string[]): Promise<number> {
  const [row] = await db()
    .select({ sent: sql<number>`count(*)::int` })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.merchantId, merchant.id),
        inArray(webhookDeliveries.id, [...ids]),
        eq(webhookDeliveries.lastResendId, resourceId),
      ),
    );
  return row?.sent ?? 0;
}
