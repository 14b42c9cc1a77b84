import { and, asc, eq, gte, inArray, lt, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { eventFromRow, type MerchantEvent } from "./event.ts";
import type { EventType } from "./event-types.ts";
import { firstSequenceSince } from "./first-sequence-since.ts";

interface About {
  /** The field of the event's data that names the record, and its value. */
  field: string;
  value: string;
  types: readonly EventType[];
  /** The events were written in this range of times. */
  from: Date;
  to: Date;
}

/** The most events that one call reads: those of two minutes of a merchant with 160 events a second. */
const MAX_SEARCHED_ROWS = 20_000n;

/**
 * Returns a merchant's events about one record, oldest first. No index has the records, so it reads all events of the range of times, at most
 * 20,000: a busy merchant's events of a long range may be missed.
 */
export async function findEventsAbout(merchantId: string, { field, value, types, from, to }: About): Promise<MerchantEvent[]> {
  const first = await firstSequenceSince(merchantId, from);
  // `firstSequenceSince` allows for times that go back by a minute, so the end must too.
  const end = await firstSequenceSince(merchantId, new Date(to.getTime() + 2 * MINUTE_MS));
  const rows = await db()
    .select()
    .from(events)
    .where(
      and(
        eq(events.merchantId, merchantId),
        gte(events.sequence, first),
        lt(events.sequence, end < first + MAX_SEARCHED_ROWS ? end : first + MAX_SEARCHED_ROWS),
        gte(events.createdAt, from),
        lte(events.createdAt, to),
        // Compares the type first, because the data is much larger to read.
        sql`case when ${inArray(events.type, [...types])} then ${events.data}->>${field}::text = ${value} end`,
      ),
    )
    .orderBy(asc(events.sequence));
  return rows.map(eventFromRow);
}
