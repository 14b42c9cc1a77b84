export { assertLease, markExecuted, superseded } from "./assert-lease.ts";
export { type Claim, claimKey, endLeasesOf, purgeOldKeys, recordAnswer, recordUnknown, releaseClaim } from "./claims.ts";
