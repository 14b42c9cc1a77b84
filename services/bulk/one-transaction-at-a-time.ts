import { sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { oneAtATime } from "#lib/one-at-a-time.ts";
import type { MemberContext } from "../context.ts";
import { assertLease } from "../idempotency/index.ts";

/**
 * Runs `work` in a transaction, one at a time for each merchant across all processes. Throws as `work` does, and if the request's lease
 * was superseded.
 */
export function oneTransactionAtATime<T>(ctx: MemberContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  const key = `bulk_orders/${ctx.merchant.id}`;
  // Waits within this process first, without a connection, so that one merchant's many requests do not use up the pool.
  return oneAtATime(key, () =>
    transaction(async (tx) => {
      await assertLease(tx, ctx);
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
      return work(tx);
    }),
  );
}
