import { sql } from "drizzle-orm";
import { check, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/** The next run of each job at set times (worker/scheduler.ts). A row that is lost is made again. */
export const schedules = pgTable(
  "schedules",
  {
    /** The verb that the job calls. */
    name: text().notNull(),
    dueAt: moment().notNull(),
    /** The end of the lease of the worker that runs the job. It is the fencing token too. */
    lockedUntil: moment(),
    /** How often the job has been begun since it last succeeded. */
    attempts: integer().notNull().default(0),
  },
  (t) => [primaryKey({ name: "schedules_pkey", columns: [t.name] }), check("schedules_attempts", sql`${t.attempts} >= 0`)],
);
