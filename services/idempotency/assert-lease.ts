import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { Context, MerchantContext, TenantContext } from "../context.ts";

/** Returns the error of a superseded lease. */
export const superseded = () =>
  new Problem("REQUEST_IN_PROGRESS", "Another attempt with this Idempotency-Key has superseded this one. Send the same request again.", {
    outcome: "unknown",
    headers: { "Retry-After": "1" },
  });

/**
 * Marks the request's Idempotency-Key as executed. Verbs that do all of their work in one transaction call this in it, before anything else: if it
 * commits, a retry is answered with what the request made, and executes nothing, whatever others have changed since. Throws as `assertLease`
 * does. Does nothing without a lease.
 */
export async function markExecuted(tx: Tx, { merchant, lease }: Leased): Promise<void> {
  if (!lease || !merchant) return;
  const [owned] = await tx.execute(sql`
    update idempotency_keys set executed_at = now() where merchant_id = ${merchant.id} and scope = ${lease.scope} and key = ${lease.key}
      and state = 'running' and locked_until = ${lease.lockedUntil}::text::timestamptz returning 1`);
  if (!owned) throw superseded();
}

/** A context that may have the lease of a request. */
type Leased = Context & { merchant?: { id: string }; lease?: MerchantContext["lease"] };

/**
 * Locks the Idempotency-Key until the transaction ends, so that no other attempt takes it over. Verbs call this in the transaction that
 * stores the request's resource, so that a superseded attempt cannot commit. Throws REQUEST_IN_PROGRESS (outcome `unknown`) if the lease
 * is superseded: this attempt was paused, another one ran, and the merchant may have been told that nothing was executed. Does nothing
 * without a lease.
 */
export async function assertLease(tx: Tx, { merchant, lease }: TenantContext): Promise<void> {
  if (!lease) return;
  const [owned] = await tx.execute(sql`
    select 1 from idempotency_keys where merchant_id = ${merchant.id} and scope = ${lease.scope} and key = ${lease.key}
      and state = 'running' and locked_until = ${lease.lockedUntil}::text::timestamptz for share`);
  if (!owned) throw superseded();
}
