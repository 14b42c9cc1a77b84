import { sql } from "drizzle-orm";
import { afterCommit, type Tx } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { announceDeliveries } from "./announce.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import type { EventType } from "./event-types.ts";

/**
 * Adds an event to the merchant's feed, with a delivery for each endpoint that wants it, in the transaction that made it true. Call it
 * last: it locks the merchant's counter, which is what keeps the sequence free of gaps, until the transaction ends.
 */
export async function appendEvent(tx: Tx, merchantId: string, type: EventType, data: Record<string, unknown>): Promise<void> {
  const eventId = newId("event");
  const rows = await tx.execute<{ endpoint_ids: string[] }>(sql`
    with next as (
      update event_counters set last_sequence = last_sequence + 1 where merchant_id = ${merchantId} returning last_sequence
    ), event as (
      insert into events (merchant_id, sequence, id, type, data)
      select ${merchantId}, last_sequence, ${eventId}, ${type}, ${JSON.stringify(data)}::text::json from next
      returning sequence, id
    ), delivery as (
      insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence)
      select ${merchantId}, ${deliveryIdOf(sql`w.id`, sql`event.id`)}, w.id, event.id, ${type}, event.sequence
      from event, webhook_endpoints w
      where w.merchant_id = ${merchantId} and w.status = 'enabled' and (w.event_types is null or ${type} = any(w.event_types))
      returning endpoint_id
    )
    select array(select endpoint_id from delivery) as endpoint_ids from event`);
  const [appended] = rows;
  if (!appended) throw new Error(`merchant ${merchantId} has no event counter`);
  afterCommit(tx, () => announceDeliveries(merchantId, appended.endpoint_ids));
}
