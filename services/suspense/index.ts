export { listSuspense } from "./list-suspense.ts";
export { type Resolution, resolveItem } from "./resolve-item.ts";
export { returnUnmatched } from "./return-unmatched.ts";
