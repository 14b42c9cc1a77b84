import { sql } from "drizzle-orm";
import { bigint, json, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns.ts";

/** The merchant's event counter. A transaction locks it last; the sequence has no gaps, because the lock lasts until commit. */
export const eventCounters = pgTable(
  "event_counters",
  { merchantId: id(), lastSequence: bigint({ mode: "bigint" }).notNull().default(sql`0`) },
  (t) => [primaryKey({ name: "event_counters_pkey", columns: [t.merchantId] })],
);

/** An event is written in the transaction that changed the state. `sequence` counts from 1 without gaps for each merchant. */
export const events = pgTable(
  "events",
  {
    merchantId: id(),
    sequence: bigint({ mode: "bigint" }).notNull(),
    id: id(),
    type: text().notNull(),
    /** `json` keeps the order of the API's fields; `jsonb` does not. */
    data: json().$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "events_pkey", columns: [t.merchantId, t.sequence] }), unique("events_id").on(t.merchantId, t.id)],
);
