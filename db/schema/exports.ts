import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, moment } from "./columns.ts";

/** The one export that a member runs, in whichever process. A row that is past `expires_at` is of a process that ended in the middle. */
export const exportLeases = pgTable(
  "export_leases",
  {
    businessId: id(),
    userId: id(),
    /** Names the export, so that an older one notices that a newer one has taken its place. */
    lease: text().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [primaryKey({ name: "export_leases_pkey", columns: [t.businessId, t.userId] })],
);
