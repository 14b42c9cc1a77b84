import { z } from "zod";
import { asciiEmail } from "#lib/ascii-email.ts";
import { requiredName, typedName } from "../fields.ts";
import { businessName } from "../merchants/contract.ts";

/** The longest text of a password field: 128 characters take at most 256 units. */
const password = z.string().min(1, "Type your password.").max(256, "Use at most 128 characters.");
const code = z.string().min(1, "Type a code.").max(100, "Use at most 100 characters.");

/** The longest text that a form may send. The rule for passwords has its own, lower limit. */
const newPassword = z.string().min(1, "Choose a password.").max(512, "Use at most 128 characters.");
const email = z
  .string()
  .trim()
  .min(1, "Type your email.")
  .max(254, "This is not an email address.")
  .transform(asciiEmail)
  .pipe(z.email("This is not an email address.").max(254, "This is not an email address."));
const personName = typedName(80, "Type your name.");
/** The token of a link. A browser sends it back from a hidden field. */
const token = z.string().regex(/^[\w-]{20,100}$/, "This link is not complete. Open it from the mail again.");

/** The password that a signed-in person repeats. Its length is bounded, because hashing a long text takes long. */
export const RepeatedPassword = z.strictObject({ password });
/** The first code of a new authenticator app. */
export const FirstCode = z.strictObject({ code });
/** The repeated password with a code of the authenticator app, or a recovery code. */
export const PasswordAndCode = z.strictObject({ password, code });
export const ChangePassword = z.strictObject({ password, code: code.optional(), new_password: newPassword });
export const PasswordChanged = z.object({ changed: z.literal(true) });
export const PasskeyObject = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
});

/** `next`: the page that the person wanted to see. */
export const SignInForm = z.object({ email, password, next: z.string().default("") });
/** A code, with the page to open afterwards and the kind of code that was asked for. */
export const CodeForm = z.object({ code, next: z.string().default(""), by: z.string().default("") });
export const SignUpForm = z.object({
  name: personName,
  business: businessName,
  email,
  password: newPassword,
});
/** The form for an invited person. The account gets the email of the invitation. */
export const InvitedForm = z.object({ token, name: personName, password: newPassword });
export const EmailForm = z.object({ email });
export const VerifyForm = z.object({ token, password });
/** The one field of a page that a link opens: its token. */
export const LinkForm = z.object({ token });
export const NewPasswordForm = z.object({ token, password: newPassword });
export const TwoFactorObject = z.object({
  is_totp_on: z.boolean().meta({ description: "Whether codes of an authenticator app are asked for." }),
  recovery_codes_left: z.int(),
  passkeys: z.array(PasskeyObject),
});

export const MailedCode = z.object({ mailed: z.literal(true) });

export const TotpSecretObject = z.object({
  secret: z.string().meta({ description: "In base 32, to be typed into an app." }),
  uri: z.string().meta({ description: "The same as an otpauth: address, for a QR code." }),
  qr: z
    .object({ path: z.string(), size: z.int() })
    .meta({ description: "The QR code of `uri` as an SVG path of strokes, and its size in modules without the white border." }),
});

/** Recovery codes are shown once. A replay has null, and new ones can be made. */
export const RecoveryCodesObject = z.object({ recovery_codes: z.array(z.string()).nullable() });

const passkeyName = requiredName(60, "Give it a name, like Phone.");
export const PasskeyName = z.strictObject({ name: passkeyName });
export const PasskeyParams = z.object({ id: z.string() });
export const RemovedPasskey = z.object({ id: z.string(), removed: z.literal(true) });

const passkeyKind = z.literal("public-key");

/** What a browser needs to make a passkey, as `startRegistration` of @simplewebauthn/browser takes it. */
export const PasskeyOptionsObject = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: passkeyKind })),
  timeout: z.int(),
  excludeCredentials: z.array(z.object({ id: z.string(), type: passkeyKind, transports: z.array(z.string()) })),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
  extensions: z.object({ credProps: z.literal(true) }),
  hints: z.array(z.enum(["hybrid", "security-key", "client-device"])),
});

const base64url = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .regex(/^[\w-]+$/);
/** A credential id has at most 1,023 bytes. */
const credentialId = base64url(1_400);
const clientDataJSON = base64url(4_000);

/** A browser's answer with a new passkey. Browsers add fields that Oja does not read. */
export const NewPasskeyResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: passkeyKind,
  response: z.object({
    clientDataJSON,
    attestationObject: base64url(8_000),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .default([]),
  }),
});
export const NewPasskey = z.strictObject({ name: passkeyName, response: NewPasskeyResponse });
/** A new passkey. Recovery codes are shown once, to a person who had none. A replay has null. */
export const NewPasskeyObject = PasskeyObject.extend({ recovery_codes: z.array(z.string()).nullable() });

/** A browser's answer at a sign-in with a passkey. */
export const PasskeyResponse = z.object({
  id: credentialId,
  rawId: credentialId,
  type: passkeyKind,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(4_000),
    signature: base64url(2_000),
    userHandle: base64url(200).optional(),
  }),
});

/** The purposes for which a person gives a proof again. A proof for one purpose does not count for another. */
export const PasskeyProofPurpose = z.strictObject({
  purpose: z.enum(["reveal_card", "add_passkey", "remove_passkey", "manage_keys", "manage_team", "add_app", "pay_out", "manage_payouts"], {
    error: "Send reveal_card, add_passkey, remove_passkey, manage_keys, manage_team, add_app, pay_out or manage_payouts.",
  }),
});

/** What a browser needs to ask a passkey for a proof, as `startAuthentication` of @simplewebauthn/browser takes it. */
export const PasskeyProofOptionsObject = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  userVerification: z.literal("required"),
  allowCredentials: z.array(z.object({ id: z.string(), type: passkeyKind, transports: z.array(z.string()) })),
});

const challenge = base64url(100).meta({ description: "Of the options that the proof began with." });

const proof = z.strictObject({
  password: password.optional(),
  challenge: challenge.optional(),
  response: PasskeyResponse.optional().meta({ description: "The browser's answer to the challenge." }),
});
/** The fields of a proof, for a body that has others too. `requireProof` checks them. */
export const PROOF_FIELDS = proof.shape;

const proofOfChange = proof.extend({ code: code.optional() });
/** The same with a code beside the password. `requireSecondFactor` checks them. */
export const PROOF_WITH_FACTOR_FIELDS = proofOfChange.shape;

/** The fields of a request that prove who sends it. */
export type GivenProof = z.output<typeof proofOfChange>;

/** Returns the problem of a request without a proof, with half of one or with two. Undefined for exactly one. */
export function flawOf({ password, code, challenge, response }: GivenProof): { param: string; message: string } | undefined {
  const hasPasskey = challenge !== undefined || response !== undefined;
  if (password !== undefined && hasPasskey) return { param: "password", message: "Send your password or a passkey's answer, not both." };
  if (password !== undefined) return undefined;
  if (!hasPasskey) return { param: "password", message: "Type your password, or use a passkey." };
  if (challenge === undefined) return { param: "challenge", message: "Send the challenge that the passkey has signed." };
  if (response === undefined) return { param: "response", message: "Send the passkey's answer." };
  return code === undefined ? undefined : { param: "code", message: "Send a code beside your password only." };
}

const refuseFlaw = (
  given: GivenProof,
  { addIssue }: { addIssue: (issue: { code: "custom"; path: string[]; message: string }) => void },
) => {
  const flaw = flawOf(given);
  if (flaw) addIssue({ code: "custom", path: [flaw.param], message: flaw.message });
};

/** The repeated password, or a passkey's answer to a challenge for this purpose: exactly one of them. */
export const PasswordOrPasskey = proof.superRefine(refuseFlaw);

/** The same, with a code beside the password while an authenticator app is on. A passkey's answer counts only while none is. */
export const ProofOfChange = proofOfChange.superRefine(refuseFlaw);
