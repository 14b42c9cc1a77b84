import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";

const KEPT_FOR_DAYS = 30;

/** Deletes items that are older than 30 days, mailed or not. Returns how many rows it deleted. */
export const purgeOldMailItems = verb(
  { actor: ["system"] },
  (_ctx: SystemContext): Promise<number> =>
    inBatches(
      (share) => sql()`
      delete from mail_items where (merchant_id, user_id, cause) in (
        select merchant_id, user_id, cause from mail_items
        where created_at < now() - ${KEPT_FOR_DAYS} * interval '1 day' order by created_at limit ${share})`,
    ),
);
