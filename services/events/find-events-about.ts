import { and, asc, eq, gte, inArray, lt, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { eventFromRow, type MerchantEvent } from "./event.ts";
import type { EventType } from "./event-types.ts";
import { firstSequenceSince } from "./first-sequence-since.ts";

interface About {
  /** The field of the event's data that names the thing, and its value. */
  field: string;
  value: string;
  types: readonly EventType[];
  /** The events were written in this range of times. */
  from: Date;
  to: Date;
}

/** Events that one call reads: two minutes of a merchant that has 160 a second. */
const MAX_LOOKED_AT = 20_000n;

/**
 * Returns a merchant's events about one thing, oldest first. No index has the things, so it reads the events of the range of times, and at most
 * 20,000: a busy merchant's events of a long range may be missed.
 */
export async function findEventsAbout(merchantId: string, { field, value, types, from, to }: About): Promise<MerchantEvent[]> {
  const first = await firstSequenceSince(merchantId, from);
  // It allows for times that go back by a minute, and so must the end.
  const end = await firstSequenceSince(merchantId, new Date(to.getTime() + 2 * MINUTE_MS));
  const rows = await db()
    .select()
    .from(events)
    .where(
      and(
        eq(events.merchantId, merchantId),
        gte(events.sequence, first),
        lt(events.sequence, end < first + MAX_LOOKED_AT ? end : first + MAX_LOOKED_AT),
        gte(events.createdAt, from),
        lte(events.createdAt, to),
        // Compared before the data is read, which is much larger.
        sql`case when ${inArray(events.type, [...types])} then ${events.data}->>${field}::text = ${value} end`,
      ),
    )
    .orderBy(asc(events.sequence));
  return rows.map(eventFromRow);
}
