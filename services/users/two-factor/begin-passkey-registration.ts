import { generateRegistrationOptions, type PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import type { MemberContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import type { GivenProof } from "../contract.ts";
import { passkeyRowsOf } from "../factors/passkey.ts";
import { CHALLENGE_WORKS_FOR_MS, issueChallenge } from "../factors/passkey-challenges.ts";
import { handleOf, relyingParty } from "../factors/relying-party.ts";
import { requireVerified } from "../factors/second-factor-changed.ts";
import { changeWithAnyProof } from "../proof/prove-again.ts";
import { getUserRow } from "../rows.ts";

/** EdDSA, ES256 and RS256. Every passkey of today supports one of them. */
export const ALGORITHMS = [-8, -7, -257];

/**
 * Returns what a browser needs to make a passkey for a member. The device must verify its user, by a fingerprint, a face or a PIN, and keep the
 * user's name, so that it signs in without a password. The first second factor needs a code by mail (`mailFirstFactorCode`), a further one a proof
 * by an existing factor. Throws the errors of `changeWithAnyProof`, and PERMISSION_DENIED before the email is verified.
 */
export const beginPasskeyRegistration = verb(
  { permission: "self" },
  async (ctx: MemberContext, proof: GivenProof): Promise<PublicKeyCredentialCreationOptionsJSON> => {
    const user = await getUserRow(ctx.actor.id);
    requireVerified(user);
    const challenge = await changeWithAnyProof(ctx, "add_passkey", "to_add", proof, (tx, _user, provedBy) =>
      issueChallenge({ newPasskeyOf: user.id }, tx, provedBy),
    );
    const own = await passkeyRowsOf(user.id);
    return generateRegistrationOptions({
      ...{ rpName: "Oja", rpID: relyingParty().rpID },
      ...{ userID: handleOf(user.id), userName: user.email, userDisplayName: user.name },
      ...{ challenge, timeout: CHALLENGE_WORKS_FOR_MS },
      attestationType: "none",
      excludeCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  },
);
