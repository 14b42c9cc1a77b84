import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, moment } from "./columns.ts";

/** The one export that a member runs, in any process. A row past `expires_at` belongs to a process that ended during its export. */
export const exportLeases = pgTable(
  "export_leases",
  {
    businessId: id(),
    userId: id(),
    /** The id of the export, by which an older export notices that a newer one has superseded it. */
    lease: text().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [primaryKey({ name: "export_leases_pkey", columns: [t.businessId, t.userId] })],
);
