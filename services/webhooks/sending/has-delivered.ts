import { sql } from "#db/client.ts";
import type { MerchantContext } from "../../context.ts";

/** No index serves `delivered`, and a merchant may have a million deliveries that failed. */
const MAX_SEARCHED_ROWS = 1_000;

/** Returns whether one of the newest `MAX_SEARCHED_ROWS` deliveries of the merchant was delivered. */
export async function hasDelivered({ merchant }: MerchantContext): Promise<boolean> {
  const [found] = await sql()`
    select from (select status from webhook_deliveries where merchant_id = ${merchant.id} limit ${MAX_SEARCHED_ROWS}) d
    where d.status = 'delivered' limit 1`;
  return found !== undefined;
}
