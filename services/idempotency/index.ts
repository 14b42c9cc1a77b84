export { assertLease, superseded } from "./assert-lease.ts";
export { type Claim, claimKey, forgetClaim, keepAnswer, leaveUnknown, purgeOldKeys } from "./claims.ts";
