/** Where to go after signing in, or why it did not work. An empty problem: the person has closed the browser's question. */
export type PasskeyOutcome = { to: string } | { problem: string };

interface PasskeyQuestion {
  /** The page to open afterwards. */
  next: string | undefined;
  /** Whether the passkey is asked for after the password. Otherwise it replaces the password. */
  isSecondStep: boolean;
}

const NO_ANSWER = "There was no answer. Check your connection, then try again.";
const NOT_SUPPORTED = "This browser has no passkeys. Use your password.";

/** Asks the browser for a passkey, and signs in with it. */
export async function askPasskey({ next, isSecondStep }: PasskeyQuestion): Promise<PasskeyOutcome> {
  // Loaded by the click, because most people sign in without a passkey.
  const { browserSupportsWebAuthn, startAuthentication } = await import("@simplewebauthn/browser");
  if (!browserSupportsWebAuthn()) return { problem: NOT_SUPPORTED };
  try {
    const { options, challenge, problem } = await send("/sign-in/passkey/options", { isSecondStep });
    if (problem !== undefined) return { problem };
    const response = await startAuthentication({ optionsJSON: options }).catch(() => undefined);
    if (!response) return { problem: "" };
    return await send("/sign-in/passkey/finish", { challenge, response, next, isSecondStep });
  } catch {
    // The request or its answer was lost.
    return { problem: NO_ANSWER };
  }
}

async function send(path: string, body: unknown) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return answer.json();
}
