import type { startRegistration } from "@simplewebauthn/browser";
import { NotDone } from "./use-work.ts";

type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
type Made = Awaited<ReturnType<typeof startRegistration>>;

const CLOSED = "The browser's question was closed, or its time ran out. No passkey was added. Try again.";
const REASONS = new Map([
  ["ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED", "This device has a passkey of yours already."],
  ["ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT", "This device cannot keep a passkey. Use another one."],
  [
    "ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT",
    "This device cannot check that it is you. Set up a screen lock, or use another one.",
  ],
  ["ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG", "This device makes no passkeys that Oja knows. Use another one."],
  ["ERROR_INVALID_DOMAIN", "Passkeys do not work at this address. Open the dashboard at its usual one."],
  ["ERROR_INVALID_RP_ID", "Passkeys do not work at this address. Open the dashboard at its usual one."],
]);

/** Asks the browser to make a passkey. Returns the browser's answer. Throws NotDone with the reason if the browser makes no passkey. */
export async function makePasskey(optionsJSON: Options): Promise<Made> {
  // Loaded by the click, because most visits of the page add no passkey.
  const { startRegistration, WebAuthnError } = await import("@simplewebauthn/browser");
  try {
    return await startRegistration({ optionsJSON });
  } catch (error) {
    throw new NotDone((error instanceof WebAuthnError && REASONS.get(error.code)) || CLOSED);
  }
}
