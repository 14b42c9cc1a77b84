export { noteInAudit } from "./note.ts";
export { requireReason } from "./require-reason.ts";
