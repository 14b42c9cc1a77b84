export { noteByOperator, noteInAudit } from "./note.ts";
