import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns.ts";

/** Actions that need an account of who did them. Append-only. */
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
