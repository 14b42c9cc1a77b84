import type { startAuthentication } from "@simplewebauthn/browser";
import { type Caller, call } from "./call.ts";
import { NotDone } from "./use-work.ts";

type Begin = typeof import("#app/api/dashboard/passkeys/proof/route.ts").POST;
type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];
type Credential = NonNullable<Options["allowCredentials"]>[number];
type Transport = NonNullable<Credential["transports"]>[number];

const TRANSPORTS: readonly Transport[] = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];
const isTransport = (text: string): text is Transport => TRANSPORTS.some((known) => known === text);

const NOT_SUPPORTED = "This browser has no passkeys. Use your password.";
const CLOSED = "The browser's question was closed, or its time ran out. Try again, or use your password.";

/** The sensitive actions before which a member proves again who they are. */
export type ProofPurpose =
  | "reveal_card"
  | "add_passkey"
  | "remove_passkey"
  | "manage_keys"
  | "manage_team"
  | "add_app"
  | "pay_out"
  | "manage_payouts";

/** Asks one of the member's passkeys for a proof of a purpose. Throws NotDone if the browser gives none, and Refused. */
export async function proveByPasskey(caller: Caller, purpose: ProofPurpose) {
  // Loaded by the click, because most visits of a page prove nothing.
  const { browserSupportsWebAuthn, startAuthentication } = await import("@simplewebauthn/browser");
  if (!browserSupportsWebAuthn()) throw new NotDone(NOT_SUPPORTED);
  const { data } = await call<Begin>(caller, "POST", "/api/dashboard/passkeys/proof", { body: { purpose } });
  const allowCredentials = data.allowCredentials.map(({ transports, ...rest }) => ({
    ...rest,
    transports: transports.filter(isTransport),
  }));
  const response = await startAuthentication({ optionsJSON: { ...data, allowCredentials } }).catch(() => {
    throw new NotDone(CLOSED);
  });
  return { challenge: data.challenge, response };
}
