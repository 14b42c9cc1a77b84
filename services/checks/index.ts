export { listChecks } from "./list-checks.ts";
export { recordCheck } from "./record-check.ts";
