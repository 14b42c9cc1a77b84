import { sql } from "drizzle-orm";
import { afterCommit, type Tx } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { announceDeliveries } from "./announce.ts";
import type { EventType } from "./event-types.ts";

export interface NewEvent {
  type: EventType;
  data: Record<string, unknown>;
}

/** Adds one event, as `appendEvents`. */
export const appendEvent = (tx: Tx, merchantId: string, type: EventType, data: Record<string, unknown>): Promise<void> =>
  appendEvents(tx, merchantId, [{ type, data }]);

/**
 * Adds events to the merchant's feed, with a delivery for each subscribed endpoint, in the transaction that caused them. Locks the
 * merchant's event counter until the transaction ends, which keeps the sequence free of gaps: call it last.
 */
export async function appendEvents(tx: Tx, merchantId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const batch = JSON.stringify(events.map(withId));
  const [row] = await tx.execute<{ endpoint_ids: string[] | null }>(
    sql`
      select append_events(${merchantId}, array(select e from json_populate_recordset(null::event_request, ${batch}::text::json) e)) as endpoint_ids`,
  );
  const endpointIds = row?.endpoint_ids;
  if (!endpointIds) throw new Error(`merchant ${merchantId} has no event counter`);
  afterCommit(tx, () => announceDeliveries(merchantId, endpointIds));
}

/** Returns an event with a new id, as `append_events` takes it. */
export const withId = (event: NewEvent) => ({ id: newId("event"), ...event });
