export { type Claim, claimKey, forgetClaim, keepAnswer, leaveUnknown, purgeOldKeys } from "./claims.ts";
export { keepHold, overtaken } from "./keep-hold.ts";
