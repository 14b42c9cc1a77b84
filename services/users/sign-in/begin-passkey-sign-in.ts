import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Context } from "../../context.ts";
import { verb } from "../../verb.ts";
import { passkeyRowsOf } from "../factors/passkey.ts";
import { CHALLENGE_WORKS_FOR_MS, issueChallenge } from "../factors/passkey-challenges.ts";
import { relyingParty } from "../factors/relying-party.ts";
import { findTicketUser } from "./tickets.ts";

interface BegunSignIn {
  /** What the browser needs to ask a passkey for a signature. */
  options: PublicKeyCredentialRequestOptionsJSON;
  /** The page keeps it for `finishPasskeySignIn`. It works once, for five minutes. */
  challenge: string;
}

/**
 * Begins a sign-in by a passkey: after the password with the ticket of `signIn`, or without a password with null. The browser then offers all
 * passkeys that it has for this service; with a ticket, only those of its user.
 */
export const beginPasskeySignIn = verb(
  { actor: ["anyone"] },
  async (_ctx: Context, { ticket }: { ticket: string | null }): Promise<BegunSignIn> => {
    const user = ticket === null ? undefined : await findTicketUser(ticket);
    const offered = user ? await passkeyRowsOf(user.id) : [];
    const options = await generateAuthenticationOptions({
      rpID: relyingParty().rpID,
      challenge: await issueChallenge("sign_in"),
      timeout: CHALLENGE_WORKS_FOR_MS,
      userVerification: "required",
      allowCredentials: offered.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    });
    return { options, challenge: options.challenge };
  },
);
