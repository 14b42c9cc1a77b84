import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../context.ts";

const KEPT_FOR_DAYS = 7;
/** An order has up to 500 rows, which go with it. */
const ORDERS_AT_ONCE = 20;

/** Deletes files that were uploaded more than 7 days ago and never bought, with their rows. Returns how many files. */
export const purgeOldDrafts = (_ctx: SystemContext): Promise<number> =>
  inBatches(
    (maxRows) => sql()`
      with old as (
        select merchant_id, id from bulk_orders
        where confirmed_at is null and created_at < now() - ${KEPT_FOR_DAYS} * interval '1 day'
        limit ${maxRows} for update skip locked
      ), emptied as (
        delete from bulk_rows r using old where r.merchant_id = old.merchant_id and r.bulk_order_id = old.id returning 1
      )
      delete from bulk_orders o using old where o.merchant_id = old.merchant_id and o.id = old.id returning 1`,
    ORDERS_AT_ONCE,
  );
