import { sql } from "drizzle-orm";
import { bigint, check, index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";
import { mode } from "./tenants.ts";

export const BRAND_CHANGED = "brand.changed";
/** True of changes of a brand. A statement that states it as a literal may use the partial index of their times. */
export const IS_BRAND_CHANGE = `action = '${BRAND_CHANGED}'`;

/** Actions whose author must be provable later. Append-only. Each entry carries a keyed hash of itself and of the entry before it. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    businessId: id(),
    /** Counts the entries of a business from 1, without gaps. */
    seq: bigint({ mode: "number" }).notNull(),
    id: id(),
    /** The mode that the action is about. Null: the whole business. */
    mode: mode(),
    actorType: text().notNull(),
    actorId: text().notNull(),
    action: text().notNull(),
    /** The id of the record that the action is about. */
    subject: text().notNull(),
    reason: text(),
    /** The changed fields before and after the action, without secrets. */
    before: jsonb().$type<AuditedFields>(),
    after: jsonb().$type<AuditedFields>(),
    /** The address that the request came from. */
    address: text(),
    requestId: text(),
    createdAt: moment().notNull(),
    hash: text().notNull(),
  },
  (t) => [
    primaryKey({ name: "audit_entries_pkey", columns: [t.businessId, t.seq] }),
    index("audit_entries_of_brands").on(t.createdAt).where(sql.raw(IS_BRAND_CHANGE)),
    check("audit_entries_seq_from_one", sql`${t.seq} > 0`),
    check("audit_entries_hash", sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);

/** Plain JSON values by the names of their fields. */
export type AuditedFields = Record<string, string | number | boolean | null | string[]>;

/** The last entry of each business: the next one is counted and hashed from here, under this row's lock. */
export const auditHeads = pgTable(
  "audit_heads",
  {
    businessId: id(),
    seq: bigint({ mode: "number" }).notNull(),
    hash: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "audit_heads_pkey", columns: [t.businessId] })],
);
