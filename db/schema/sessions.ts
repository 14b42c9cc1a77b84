import { sql } from "drizzle-orm";
import { check, foreignKey, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";
import { users } from "./tenants.ts";

/** A person who is signed in with one browser. The cookie names the row, so that ending the row signs that browser out. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    userId: id(),
    /** The address and the browser that signed in. */
    address: text(),
    userAgent: text(),
    /** The business whose pages this browser opened last. A path without a business leads there. */
    lastBusinessId: text(),
    lastSeenAt: createdAt(),
    /** The session ends then, however much it is used. */
    expiresAt: moment().notNull(),
    endedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "sessions_pkey", columns: [t.id] }),
    foreignKey({ name: "sessions_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    index("sessions_by_user").on(t.userId),
    check("sessions_expire_after_creation", sql`${t.expiresAt} > ${t.createdAt}`),
  ],
);
