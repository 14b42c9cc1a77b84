import type { auditEntries } from "#db/schema/audit.ts";

export type AuditEntryRow = typeof auditEntries.$inferSelect;
