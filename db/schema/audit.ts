import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns.ts";

/** Who did what that somebody may have to answer for. Append-only. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    merchantId: id(),
    id: id(),
    actorType: text().notNull(),
    actorId: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    requestId: text(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "audit_entries_pkey", columns: [t.merchantId, t.id] })],
);
