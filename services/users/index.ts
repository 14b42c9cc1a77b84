export { RepeatedPassword } from "./contract.ts";
export { getOwnUser } from "./get-own-user.ts";
export { purgeOldTries } from "./purge.ts";
export { requirePassword } from "./require-password.ts";
export { requestReset, resetPassword } from "./reset-password.ts";
export { signIn } from "./sign-in.ts";
export { signUp } from "./sign-up.ts";
export { verifyEmail } from "./verify-email.ts";
