import { sql } from "#db/client.ts";
import type { SystemContext } from "../context.ts";

/** Deletes links of mails that are over, and failures that no longer count. Returns how many rows it deleted. */
export async function purgeOldTries(_ctx: SystemContext): Promise<number> {
  const links = await sql()`delete from user_tokens where created_at < now() - interval '30 days'`;
  const failures = await sql()`delete from sign_in_failures where last_failed_at < now() - interval '2 days' and blocked_until < now()`;
  return links.count + failures.count;
}
