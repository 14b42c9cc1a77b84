import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { purchases } from "#db/schema/vtu.ts";
import type { AggregatorNotice } from "#providers/aggregator.ts";
import type { SystemContext } from "../../context.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { verb } from "../../verb.ts";
import { MIN_BETWEEN_READS_MS } from "../schedule.ts";
import { resolveIfDue } from "./resolve-purchases.ts";

/**
 * Makes a purchase due to be read, final or not, because its aggregator sent a notice about it. The due time is committed when this
 * returns, so the notice may be acknowledged. Reads the purchase at once if it is due; otherwise, or after an error, the worker reads it.
 * Ignores a reference that we do not know.
 */
export const receiveHint = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, provider: string, { reference }: AggregatorNotice): Promise<void> => {
    const merchantId = await findMerchantOf(reference);
    if (merchantId === undefined) return;
    const known = await db()
      .update(purchases)
      // Some aggregators do not sign their notices, so anyone may send them. A notice does not shorten the minimum time between two reads.
      .set({ nextAttemptAt: sql`greatest(now(), later(${purchases.leasedAt}, ${MIN_BETWEEN_READS_MS}))` })
      .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, reference), eq(purchases.provider, provider)))
      .returning({ id: purchases.id });
    if (known.length > 0) await resolveIfDue({ merchantId, id: reference });
  },
);
