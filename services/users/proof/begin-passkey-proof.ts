import { generateAuthenticationOptions } from "@simplewebauthn/server";
import type { z } from "zod";
import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import type { ProofPurpose } from "../../proven.ts";
import { verb } from "../../verb.ts";
import type { PasskeyProofOptionsObject } from "../contract.ts";
import { passkeyRowsOf } from "../factors/passkey.ts";
import { CHALLENGE_WORKS_FOR_MS, issueChallenge } from "../factors/passkey-challenges.ts";
import { relyingParty } from "../factors/relying-party.ts";

/**
 * Returns what a browser needs to ask one of a member's passkeys for a proof. Its challenge works once, for five minutes, for this member in this
 * session and for this purpose. Throws VALIDATION_ERROR for a member without passkeys.
 */
export const beginPasskeyProof = verb(
  { permission: "self" },
  async ({ actor, sessionId }: MemberContext, purpose: ProofPurpose): Promise<z.output<typeof PasskeyProofOptionsObject>> => {
    const own = await passkeyRowsOf(actor.id);
    if (own.length === 0) throw new Problem("VALIDATION_ERROR", "You have no passkey. Type your password instead.");
    const { rpID } = relyingParty();
    const { challenge } = await generateAuthenticationOptions({
      rpID,
      challenge: await issueChallenge({ proofBy: actor.id, sessionId, purpose }),
    });
    return {
      ...{ rpId: rpID, challenge, timeout: CHALLENGE_WORKS_FOR_MS, userVerification: "required" },
      allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, type: "public-key", transports })),
    };
  },
);
