import { sql } from "drizzle-orm";
import { afterCommit, type Tx } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { announceDeliveries } from "./announce.ts";
import { deliveryIdOf } from "./delivery-id.ts";
import type { EventType } from "./event-types.ts";

export interface NewEvent {
  type: EventType;
  data: Record<string, unknown>;
}

export const appendEvent = (tx: Tx, merchantId: string, type: EventType, data: Record<string, unknown>): Promise<void> =>
  appendEvents(tx, merchantId, [{ type, data }]);

/**
 * Adds events to the merchant's feed, with a delivery for each endpoint that wants it, in the transaction that made them true. Call it
 * last: it locks the merchant's counter, which is what keeps the sequence free of gaps, until the transaction ends.
 */
export async function appendEvents(tx: Tx, merchantId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const batch = JSON.stringify(events.map(({ type, data }) => ({ id: newId("event"), type, data })));
  const rows = await tx.execute<{ endpoint_ids: string[] }>(sql`
    with next as (
      update event_counters set last_sequence = last_sequence + ${events.length}::int where merchant_id = ${merchantId}
      returning last_sequence - ${events.length}::int as base
    ), event as (
      insert into events (merchant_id, sequence, id, type, data)
      select ${merchantId}, next.base + given.n, given.event->>'id', given.event->>'type', given.event->'data'
      from next, json_array_elements(${batch}::text::json) with ordinality as given(event, n)
      returning sequence, id, type
    ), delivery as (
      insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence)
      select ${merchantId}, ${deliveryIdOf(sql`w.id`, sql`event.id`)}, w.id, event.id, event.type, event.sequence
      from event, webhook_endpoints w
      where w.merchant_id = ${merchantId} and w.status = 'enabled' and (w.event_types is null or event.type = any(w.event_types))
      returning endpoint_id
    )
    select array(select distinct endpoint_id from delivery) as endpoint_ids from next`);
  const [appended] = rows;
  if (!appended) throw new Error(`merchant ${merchantId} has no event counter`);
  afterCommit(tx, () => announceDeliveries(merchantId, appended.endpoint_ids));
}
