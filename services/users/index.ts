export { beginPasskeyProof } from "./begin-passkey-proof.ts";
export { beginPasskeyRegistration } from "./begin-passkey-registration.ts";
export { beginPasskeySignIn } from "./begin-passkey-sign-in.ts";
export { beginTotp } from "./begin-totp.ts";
export { browserName } from "./browser-name.ts";
export { removePasskey, renamePasskey } from "./change-passkeys.ts";
export { changePassword } from "./change-password.ts";
export type { Browser } from "./complete-sign-in.ts";
export { confirmTotp } from "./confirm-totp.ts";
export {
  ChangePassword,
  CodeForm,
  EmailForm,
  FirstCode,
  type GivenProof,
  InvitedForm,
  LinkForm,
  MailedCode,
  NewPasskey,
  NewPasskeyObject,
  NewPasswordForm,
  PasskeyName,
  PasskeyObject,
  PasskeyOptionsObject,
  PasskeyParams,
  PasskeyProofOptionsObject,
  PasskeyProofPurpose,
  PasswordAndCode,
  PasswordChanged,
  PasswordOrPasskey,
  ProofOfChange,
  RecoveryCodesObject,
  RemovedPasskey,
  RepeatedPassword,
  SignInForm,
  SignUpForm,
  TotpSecretObject,
  TwoFactorObject,
  VerifyForm,
} from "./contract.ts";
export { denyChange } from "./deny-change.ts";
export { mailDueRemovals } from "./factor-removals.ts";
export { findLinkEmail } from "./find-link-email.ts";
export { finishPasskeyRegistration } from "./finish-passkey-registration.ts";
export { finishPasskeySignIn } from "./finish-passkey-sign-in.ts";
export { getOwnUser } from "./get-own-user.ts";
export { getPasskey } from "./get-passkey.ts";
export { getTwoFactor, type TwoFactor } from "./get-two-factor.ts";
export { mailFirstFactorCode } from "./mail-first-factor-code.ts";
export { presentPasskey, presentTotpSecret, presentTwoFactor } from "./present.ts";
export { purgeOldDevices, purgeOldTries, purgeUnverifiedUsers } from "./purge.ts";
export { askRemoval, removeFactors } from "./remove-factors.ts";
export { renewRecoveryCodes } from "./renew-recovery-codes.ts";
export { requireProof } from "./require-proof.ts";
export { requestReset, resetPassword } from "./reset-password.ts";
export { resetTwoFactor } from "./reset-two-factor.ts";
export { signIn } from "./sign-in.ts";
export { signInWithCode } from "./sign-in-with-code.ts";
export { signUp, signUpInvited } from "./sign-up.ts";
export { turnOffTwoFactor } from "./turn-off-two-factor.ts";
export { verifyEmail } from "./verify-email.ts";
