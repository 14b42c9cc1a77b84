import { sql } from "drizzle-orm";
import { bigint, check, date, pgEnum, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, minorUnits } from "./columns.ts";

export const figureSource = pgEnum("figure_source", ["wallet", "event"]);

/**
 * The sums of a merchant's day in Lagos, by type. Derived: the entries of the wallet and the events have the facts, and everything here can
 * be counted anew from them (`rebuildFigures`).
 */
export const dailyFigures = pgTable(
  "daily_figures",
  {
    merchantId: id(),
    day: date({ mode: "string" }).notNull(),
    source: figureSource().notNull(),
    /** `wallet`: the `type` of the transfer's meta. `event`: the type of the event. */
    type: text().notNull(),
    count: bigint({ mode: "bigint" }).notNull(),
    /** `wallet`: credits less debits. `event`: the amounts in Naira that the events name. */
    kobo: minorUnits(),
  },
  (t) => [
    primaryKey({ name: "daily_figures_pkey", columns: [t.merchantId, t.day, t.source, t.type] }),
    check("daily_figures_count_positive", sql`${t.count} > 0`),
  ],
);

/** How far a merchant's figures have been counted. Changes together with the figures, under this row's lock. A merchant without a row is at 0. */
export const figureCursors = pgTable(
  "figure_cursors",
  {
    merchantId: id(),
    /** The number of the last entry of the wallet that is counted. */
    walletSeq: bigint({ mode: "bigint" }).notNull().default(sql`0`),
    /** The last day of a counted entry of the wallet: no later entry belongs to an earlier day, as in a statement. */
    walletDay: date({ mode: "string" }),
    /** The sequence of the last event that is counted. */
    eventSequence: bigint({ mode: "bigint" }).notNull().default(sql`0`),
    /** The last day of a counted event, as `wallet_day`. */
    eventDay: date({ mode: "string" }),
  },
  (t) => [
    primaryKey({ name: "figure_cursors_pkey", columns: [t.merchantId] }),
    check("figure_cursors_not_negative", sql`${t.walletSeq} >= 0 and ${t.eventSequence} >= 0`),
  ],
);
