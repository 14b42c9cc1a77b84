export { beginExport, type ExportLease, endExport, keepExport } from "./lease.ts";
