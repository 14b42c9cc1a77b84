import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../context.ts";

/** Deletes links of mails that are over, and failures that no longer count. Returns how many rows it deleted. */
export async function purgeOldTries(_ctx: SystemContext): Promise<number> {
  const links = await inBatches(
    (maxRows) => sql()`
      delete from user_tokens where hash in (select hash from user_tokens where created_at < now() - interval '30 days' limit ${maxRows})`,
  );
  const failures = await inBatches(
    (maxRows) => sql()`
      delete from sign_in_failures where source in (
        select source from sign_in_failures where last_failed_at < now() - interval '2 days' and blocked_until < now() limit ${maxRows})`,
  );
  return links + failures;
}
