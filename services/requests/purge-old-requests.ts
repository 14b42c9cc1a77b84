import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../context.ts";

const KEPT_FOR_DAYS = 30;

/** Deletes requests older than 30 days. Returns how many. */
export const purgeOldRequests = (_ctx: SystemContext): Promise<number> =>
  inBatches(
    (share) => sql()`
      delete /* of all merchants */ from request_log r using (
        select merchant_id, id from request_log where created_at < now() - ${KEPT_FOR_DAYS} * interval '1 day' order by created_at limit ${share}
      ) old
      where r.merchant_id = old.merchant_id and r.id = old.id`,
  );
