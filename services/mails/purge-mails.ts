import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";

const KEPT_FOR_DAYS = 30;

/** Deletes mails older than 30 days, also those that still wait. Returns how many it deleted. */
export const purgeOldMails = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  return inBatches(
    (share) => sql()`
      delete from mails where id in (
        select id from mails where created_at < now() - ${KEPT_FOR_DAYS} * interval '1 day' order by created_at limit ${share})`,
  );
});
