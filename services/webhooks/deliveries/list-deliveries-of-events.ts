import { sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import type { MerchantContext } from "../../context.ts";
import { type Delivery, deliveryFromRow } from "../delivery.ts";

/** A delivery with the URL of its endpoint as it is now. */
export interface DeliveryToEndpoint extends Delivery {
  url: string;
}

/** Returns the deliveries of events to the merchant's endpoints. An id of a delivery follows from its endpoint and its event, so it is looked up. */
export async function listDeliveriesOfEvents({ merchant }: MerchantContext, eventIds: string[]): Promise<DeliveryToEndpoint[]> {
  const rows = await sql()<{ url: string }[]>`
    select d.*, e.url from webhook_endpoints e
    cross join unnest(${eventIds}::text[]) as event (id)
    join webhook_deliveries d on d.merchant_id = ${merchant.id} and d.id = delivery_id(e.id, event.id)
    where e.merchant_id = ${merchant.id} order by d.sequence, d.id`;
  return rows.map((row) => ({ ...deliveryFromRow(fromRow(webhookDeliveries, row)), url: row.url }));
}
