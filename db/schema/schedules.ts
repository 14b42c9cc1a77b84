import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/** The next run of each scheduled job (worker/scheduler.ts). The scheduler inserts a missing row again. */
export const schedules = pgTable(
  "schedules",
  {
    /** The verb that the job calls. */
    name: text().notNull(),
    dueAt: moment().notNull(),
    /** The end of the lease of the worker that runs the job. It is also the fencing token. */
    lockedUntil: moment(),
    /** The number of attempts since the job last succeeded. */
    attempts: integer().notNull().default(0),
  },
  (t) => [primaryKey({ name: "schedules_pkey", columns: [t.name] }), check("schedules_attempts", sql`${t.attempts} >= 0`)],
);
