import { sql } from "#db/client.ts";
import type { MerchantContext } from "../../context.ts";

/** No index serves `delivered`, and a merchant may have a million deliveries that failed. */
const MAX_LOOKED_AT = 1_000;

/** Returns whether one of the newest `MAX_LOOKED_AT` deliveries of the merchant was delivered. */
export async function hasDelivered({ merchant }: MerchantContext): Promise<boolean> {
  const [found] = await sql()`
    select from (select status from webhook_deliveries where merchant_id = ${merchant.id} limit ${MAX_LOOKED_AT}) d
    where d.status = 'delivered' limit 1`;
  return found !== undefined;
}
