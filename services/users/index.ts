export { browserName } from "./browser-name.ts";
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
  PROOF_WITH_FACTOR_FIELDS,
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
export { mailDueRemovals } from "./factors/factor-removals.ts";
export { getOwnUser } from "./get-own-user.ts";
export { beginPasskeyProof } from "./proof/begin-passkey-proof.ts";
export { mailFirstFactorCode } from "./proof/mail-first-factor-code.ts";
export { proveByCode } from "./proof/prove-by-code.ts";
export { requireProof, requireSecondFactor } from "./proof/require-proof.ts";
export { changePassword } from "./recovery/change-password.ts";
export { denyChange } from "./recovery/deny-change.ts";
export { purgeOldKnownDevices, purgeOldSignInTries, purgeUnverifiedUsers } from "./recovery/purge.ts";
export { askRemoval, removeFactors } from "./recovery/remove-factors.ts";
export { requestReset, resetPassword } from "./recovery/reset-password.ts";
export { resetTwoFactor } from "./recovery/reset-two-factor.ts";
export { findVerifiedUser } from "./rows.ts";
export { beginPasskeySignIn } from "./sign-in/begin-passkey-sign-in.ts";
export type { Browser } from "./sign-in/complete-sign-in.ts";
export { findLinkEmail } from "./sign-in/find-link-email.ts";
export { finishPasskeySignIn } from "./sign-in/finish-passkey-sign-in.ts";
export { signIn } from "./sign-in/sign-in.ts";
export { signInWithCode } from "./sign-in/sign-in-with-code.ts";
export { signUp, signUpInvited } from "./sign-in/sign-up.ts";
export { verifyEmail } from "./sign-in/verify-email.ts";
export { beginPasskeyRegistration } from "./two-factor/begin-passkey-registration.ts";
export { beginTotp } from "./two-factor/begin-totp.ts";
export { removePasskey, renamePasskey } from "./two-factor/change-passkeys.ts";
export { confirmTotp } from "./two-factor/confirm-totp.ts";
export { finishPasskeyRegistration } from "./two-factor/finish-passkey-registration.ts";
export { getPasskey } from "./two-factor/get-passkey.ts";
export { getTwoFactor, type TwoFactor } from "./two-factor/get-two-factor.ts";
export { presentPasskey, presentTotpSecret, presentTwoFactor } from "./two-factor/present.ts";
export { renewRecoveryCodes } from "./two-factor/renew-recovery-codes.ts";
export { turnOffTwoFactor } from "./two-factor/turn-off-two-factor.ts";
export { normalEmail } from "./user.ts";
