export type { AuditEntry } from "./audit-entry.ts";
export { type AuditHead, listAuditHeads } from "./audit-head.ts";
export { checkAudit } from "./check-audit.ts";
export { ListAuditQuery } from "./contract.ts";
export { getAuditEntry, listAudit } from "./list-audit.ts";
export { logAuditHeads } from "./log-heads.ts";
export { noteInAudit } from "./note.ts";
export { requireReason } from "./require-reason.ts";
export { requireVersion } from "./require-version.ts";
