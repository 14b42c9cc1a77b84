import { sql } from "drizzle-orm";
import { bigint, json, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns.ts";

/** The merchant's event counter. Taken last in a transaction, so that the sequence has no gaps. */
export const eventCounters = pgTable(
  "event_counters",
  { merchantId: id(), lastSequence: bigint({ mode: "bigint" }).notNull().default(sql`0`) },
  (t) => [primaryKey({ name: "event_counters_pkey", columns: [t.merchantId] })],
);

/** Written in the transaction that made it true. `sequence` counts from 1 without gaps for each merchant. */
export const events = pgTable(
  "events",
  {
    merchantId: id(),
    sequence: bigint({ mode: "bigint" }).notNull(),
    id: id(),
    type: text().notNull(),
    /** `json`, not `jsonb`: the order of the fields is kept as the API has it. */
    data: json().$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "events_pkey", columns: [t.merchantId, t.sequence] }), unique("events_id").on(t.merchantId, t.id)],
);
