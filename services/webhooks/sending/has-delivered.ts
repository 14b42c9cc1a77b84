import { sql } from "#db/client.ts";
import type { MerchantContext } from "../../context.ts";

/** No index serves `delivered`, and a merchant may have a million deliveries that failed. */
const MAX_LOOKED_AT = 1_000;

/** Returns whether an endpoint of the merchant has taken an event, as far as `MAX_LOOKED_AT` of its deliveries say. */
export async function hasDelivered({ merchant }: MerchantContext): Promise<boolean> {
  const [found] = await sql()`
    select from (select status from webhook_deliveries where merchant_id = ${merchant.id} limit ${MAX_LOOKED_AT}) d
    where d.status = 'delivered' limit 1`;
  return found !== undefined;
}
