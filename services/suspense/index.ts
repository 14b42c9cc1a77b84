export { listSuspense } from "./list-suspense.ts";
export { returnUnmatched } from "./return-unmatched.ts";
