export { assertLease, markExecuted, superseded } from "./assert-lease.ts";
export { type Claim, claimKey, endLeasesOf, purgeOldIdempotencyKeys, recordAnswer, recordUnknown, releaseClaim } from "./claims.ts";
