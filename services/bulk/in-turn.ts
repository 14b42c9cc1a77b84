import { sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { oneAtATime } from "#lib/one-at-a-time.ts";
import type { MemberContext } from "../context.ts";
import { assertLease } from "../idempotency/index.ts";

/**
 * Runs `work` in a transaction, after the earlier ones of the same merchant in all processes. Throws as `work`, and where the request's lease
 * was superseded.
 */
export function inTurn<T>(ctx: MemberContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  const key = `bulk_orders/${ctx.merchant.id}`;
  // The first wait has no connection, so that a merchant who sends many requests at once does not empty the pool.
  return oneAtATime(key, () =>
    transaction(async (tx) => {
      await assertLease(tx, ctx);
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
      return work(tx);
    }),
  );
}
