import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";

export const superseded = () =>
  new Problem("REQUEST_IN_PROGRESS", "Another try with this Idempotency-Key has taken over. Send the same request again.", {
    outcome: "unknown",
    headers: { "Retry-After": "1" },
  });

/**
 * Verbs that store the resource of a request call this in the same transaction, so that a superseded try cannot commit: no other try takes
 * the Idempotency-Key over until the transaction ends. Throws REQUEST_IN_PROGRESS (unknown) where the lease is superseded: this try slept
 * for so long that another was made, and the merchant may have been told that nothing happened.
 */
export async function assertLease(tx: Tx, { merchant, lease }: MerchantContext): Promise<void> {
  if (!lease) return;
  const [held] = await tx.execute(sql`
    select 1 from idempotency_keys where merchant_id = ${merchant.id} and scope = ${lease.scope} and key = ${lease.key}
      and state = 'running' and locked_until = ${lease.lockedUntil}::text::timestamptz for share`);
  if (!held) throw superseded();
}
