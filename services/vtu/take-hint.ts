import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { aggregatorReferences, purchases } from "#db/schema/vtu.ts";
import type { AggregatorNotice } from "#providers/aggregator.ts";
import type { SystemContext } from "../context.ts";
import { resolveIfDue } from "./resolve-purchases.ts";
import { MIN_BETWEEN_TURNS_MS } from "./schedule.ts";

/**
 * An aggregator says that something is new about a purchase, final or not. That it is due to be read is durable when this returns, so the
 * notice may be acknowledged; it is read at once, and where that fails by the worker. What we do not know is nobody's.
 */
export async function takeHint(_ctx: SystemContext, provider: string, { reference }: AggregatorNotice): Promise<void> {
  const [known] = await db()
    .select()
    .from(aggregatorReferences)
    .where(and(eq(aggregatorReferences.provider, provider), eq(aggregatorReferences.purchaseId, reference)));
  if (!known) return;
  const name = { merchantId: known.merchantId, id: known.purchaseId };
  await db()
    .update(purchases)
    // Anybody may send the notices of some aggregators, so they make nobody ask without end.
    .set({ nextAttemptAt: sql`greatest(now(), ${purchases.lastTurnAt} + ${MIN_BETWEEN_TURNS_MS} * interval '1 ms')` })
    .where(and(eq(purchases.merchantId, name.merchantId), eq(purchases.id, name.id)));
  await resolveIfDue(name);
}
