import { sql } from "#db/client.ts";
import type { Lease } from "./claims.ts";

/** Ends a lease as if it had begun long ago. (Two leases of one millisecond end at the same time, which is their token.) Returns it as it is then. */
export async function endLease(lease: Lease): Promise<Lease> {
  const [ended] = await sql()<{ lockedUntil: string }[]>`
    update idempotency_keys set locked_until = now() - interval '1 second'
    where merchant_id = ${lease.merchantId} and scope = ${lease.scope} and key = ${lease.key} returning locked_until as "lockedUntil"`;
  if (!ended) throw new Error(`no lease of ${lease.scope} ${lease.key}`);
  return { ...lease, ...ended };
}
