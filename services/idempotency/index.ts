export { type Claim, claimKey, forgetClaim, keepAnswer, leaveUnknown, purgeOldKeys } from "./claims.ts";
