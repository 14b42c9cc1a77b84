import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/** The next run of each scheduled job (worker/scheduler.ts). The scheduler inserts a missing row again. */
export const schedules = pgTable(
  "schedules",
  {
    /** The verb that the job calls. */
    name: text().notNull(),
    /** The set times from which `dueAt` was taken. */
    cron: text().notNull(),
    dueAt: moment().notNull(),
    /** The end of the lease of the worker that runs the job. */
    lockedUntil: moment(),
    /** Each lease increments it. */
    fencingToken: integer().notNull().default(0),
    /** The number of attempts since the job last succeeded. */
    attempts: integer().notNull().default(0),
  },
  (t) => [primaryKey({ name: "schedules_pkey", columns: [t.name] }), check("schedules_attempts", sql`${t.attempts} >= 0`)],
);
