import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import type { EventType } from "./event-types.ts";

/**
 * Adds an event to the merchant's feed, in the transaction that made it true. Call it last: it locks the merchant's counter,
 * which is what keeps the sequence free of gaps, until the transaction ends.
 */
export async function appendEvent(tx: Tx, merchantId: string, type: EventType, data: Record<string, unknown>): Promise<void> {
  const rows = await tx.execute(sql`
    with next as (
      update event_counters set last_sequence = last_sequence + 1 where merchant_id = ${merchantId} returning last_sequence
    )
    insert into events (merchant_id, sequence, id, type, data)
    select ${merchantId}, last_sequence, ${newId("event")}, ${type}, ${JSON.stringify(data)}::text::json from next
    returning sequence`);
  if (rows.length !== 1) throw new Error(`merchant ${merchantId} has no event counter`);
}
