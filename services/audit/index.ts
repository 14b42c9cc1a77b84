export { noteInAudit } from "./note.ts";
