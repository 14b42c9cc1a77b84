import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { TenantContext } from "../context.ts";

/** Returns the error of a superseded lease. */
export const superseded = () =>
  new Problem("REQUEST_IN_PROGRESS", "Another try with this Idempotency-Key has taken over. Send the same request again.", {
    outcome: "unknown",
    headers: { "Retry-After": "1" },
  });

/**
 * Locks the Idempotency-Key until the transaction ends, so that no other attempt takes it over. Verbs call this in the transaction that
 * stores the request's resource, so that a superseded attempt cannot commit. Throws REQUEST_IN_PROGRESS (outcome `unknown`) where the lease
 * is superseded: this attempt was paused, another one ran, and the merchant may have got the answer that nothing happened. Does nothing
 * without a lease.
 */
export async function assertLease(tx: Tx, { merchant, lease }: TenantContext): Promise<void> {
  if (!lease) return;
  const [owned] = await tx.execute(sql`
    select 1 from idempotency_keys where merchant_id = ${merchant.id} and scope = ${lease.scope} and key = ${lease.key}
      and state = 'running' and locked_until = ${lease.lockedUntil}::text::timestamptz for share`);
  if (!owned) throw superseded();
}
