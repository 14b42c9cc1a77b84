import { sql } from "#db/client.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import type { OrderKey } from "./lease.ts";

const KEPT_FOR_DAYS = 7;
/** Orders of one statement. Each has up to 500 rows, which are deleted with it. */
const ORDERS_AT_ONCE = 20;

const isOld = () => sql()`confirmed_at is null and created_at < now() - ${KEPT_FOR_DAYS} * interval '1 day'`;

/** Deletes files that were uploaded more than 7 days ago and never bought, with their rows. Returns how many files. */
export const purgeOldBulkDrafts = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, ordersAtOnce: number = ORDERS_AT_ONCE): Promise<number> => {
    let count = 0;
    for (let after: OrderKey = { merchantId: "", id: "" }; ; ) {
      const old = await sql()<OrderKey[]>`
      select /* of all merchants */ merchant_id as "merchantId", id from bulk_orders
      where ${isOld()} and (merchant_id, id) > (${after.merchantId}, ${after.id}) order by merchant_id, id limit ${ordersAtOnce}`;
      for (const key of old) count += (await deleteDraft(key)).count;
      const last = old.at(-1);
      if (!last || old.length < ordersAtOnce) return count;
      after = last;
    }
  },
);

/** Deletes nothing if a member is confirming the file at this moment, or has confirmed it since it was found. */
export const deleteDraft = ({ merchantId, id }: OrderKey) => sql()`
  with old as (
    select id from bulk_orders where merchant_id = ${merchantId} and id = ${id} and ${isOld()} for update skip locked
  ), emptied as (
    delete from bulk_rows r using old where r.merchant_id = ${merchantId} and r.bulk_order_id = old.id
  )
  delete from bulk_orders o using old where o.merchant_id = ${merchantId} and o.id = old.id`;
