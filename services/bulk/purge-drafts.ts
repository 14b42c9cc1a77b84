import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import type { SystemContext } from "../context.ts";
import type { OrderKey } from "./lease.ts";

const KEPT_FOR_DAYS = 7;
/** An order has up to 500 rows, which go with it. */
const ORDERS_AT_ONCE = 20;

const isOld = () => sql()`confirmed_at is null and created_at < now() - ${KEPT_FOR_DAYS} * interval '1 day'`;

/** Deletes files that were uploaded more than 7 days ago and never bought, with their rows. Returns how many files. */
export const purgeOldDrafts = (_ctx: SystemContext): Promise<number> =>
  inBatches(async (maxOrders) => {
    const old = await sql()<OrderKey[]>`
      select /* of all merchants */ merchant_id as "merchantId", id from bulk_orders where ${isOld()} limit ${maxOrders}`;
    let count = 0;
    for (const key of old) count += (await deleteDraft(key)).count;
    return { count };
  }, ORDERS_AT_ONCE);

/** Deletes nothing where a member is buying the file at this moment. */
const deleteDraft = ({ merchantId, id }: OrderKey) => sql()`
  with old as (
    select id from bulk_orders where merchant_id = ${merchantId} and id = ${id} and ${isOld()} for update skip locked
  ), emptied as (
    delete from bulk_rows r using old where r.merchant_id = ${merchantId} and r.bulk_order_id = old.id
  )
  delete from bulk_orders o using old where o.merchant_id = ${merchantId} and o.id = old.id`;
