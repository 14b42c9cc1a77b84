import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { Context } from "../context.ts";

export const overtaken = () =>
  new Problem("REQUEST_IN_PROGRESS", "Another try with this Idempotency-Key has taken over. Send the same request again.", {
    outcome: "unknown",
    headers: { "Retry-After": "1" },
  });

/**
 * To be called in the transaction that stores what a request makes: until it ends nobody takes over the request's Idempotency-Key. Throws
 * REQUEST_IN_PROGRESS (unknown) where somebody has: this try slept for so long that another was made, and may have been told that nothing happened.
 */
export async function keepHold(tx: Tx, { merchant, hold }: Context): Promise<void> {
  if (!hold) return;
  const [held] = await tx.execute(sql`
    select 1 from idempotency_keys where merchant_id = ${merchant.id} and scope = ${hold.scope} and key = ${hold.key}
      and state = 'running' and locked_until = ${hold.lockedUntil}::text::timestamptz for share`);
  if (!held) throw overtaken();
}
