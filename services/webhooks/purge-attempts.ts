import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../context.ts";

const KEPT_FOR_DAYS = 30;

/** Deletes attempts older than 30 days. Deliveries and events stay. Returns how many attempts it deleted. */
export async function purgeOldAttempts(_ctx: SystemContext): Promise<number> {
  return inBatches(
    (share) => sql()`
      delete /* of all merchants */ from webhook_attempts a using (
        select merchant_id, delivery_id, number from webhook_attempts
        where started_at < now() - ${KEPT_FOR_DAYS} * interval '1 day' order by started_at limit ${share}
      ) old
      where a.merchant_id = old.merchant_id and a.delivery_id = old.delivery_id and a.number = old.number`,
  );
}
