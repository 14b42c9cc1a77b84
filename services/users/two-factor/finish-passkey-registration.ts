import { type RegistrationResponseJSON, verifyRegistrationResponse, type WebAuthnCredential } from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import type { z } from "zod";
import { type Tx, transaction } from "#db/client.ts";
import { passkeys } from "#db/schema/two-factor.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import { assertLease } from "../../idempotency/index.ts";
import { verb } from "../../verb.ts";
import type { NewPasskeyResponse } from "../contract.ts";
import type { FactorProof } from "../factors/factor-proof.ts";
import { hasSecondFactor } from "../factors/factors.ts";
import { type Passkey, passkeyFromRow, passkeyRowsOf } from "../factors/passkey.ts";
import { takeChallenge } from "../factors/passkey-challenges.ts";
import { countCodes, renewCodes } from "../factors/recovery-codes.ts";
import { challengeOf, relyingParty } from "../factors/relying-party.ts";
import { noteChange, requireVerified } from "../factors/second-factor-changed.ts";
import { afterFirstFactor, proofDue } from "../proof/first-factor.ts";
import { lockSelf } from "../proof/open-proofs.ts";
import { ALGORITHMS } from "./begin-passkey-registration.ts";

const MAX_PASSKEYS = 20;

interface NewPasskey {
  name: string;
  /** The browser's answer to `beginPasskeyRegistration`. */
  response: z.output<typeof NewPasskeyResponse>;
}

interface AddedPasskey {
  passkey: Passkey;
  /** Ten new codes, which are shown once, for a member who had none. */
  recoveryCodes: string[] | null;
}

/**
 * Adds a passkey to a member, who gave a proof to get its challenge. If it is the first second factor, `afterFirstFactor` does the rest.
 * Throws VALIDATION_ERROR for an answer that does not belong to an open challenge of the
 * member or to this service, without user verification, of a key that is known already, or beyond 20 passkeys.
 */
export const finishPasskeyRegistration = verb(
  { permission: "self" },
  async (ctx: MemberContext, { name, response }: NewPasskey): Promise<AddedPasskey> => {
    const { id: userId } = ctx.actor;
    const { credential, provedBy } = await verify(ctx, response);
    return transaction(async (tx) => {
      const user = await lockSelf(tx, ctx);
      requireVerified(user);
      const isFirst = !(await hasSecondFactor(userId, tx));
      if (provedBy !== proofDue(isFirst)) throw invalid("response", "Another second step was added or removed meanwhile. Begin again.");
      const passkey = await store(tx, ctx, { name, credential });
      if (isFirst) await afterFirstFactor(tx, ctx, user);
      await noteChange(tx, ctx, user, "passkey_added");
      const hasCodes = (await countCodes(userId, tx)) > 0;
      return { passkey, recoveryCodes: hasCodes ? null : await renewCodes(tx, userId) };
    });
  },
);

interface Proved {
  credential: WebAuthnCredential;
  provedBy: FactorProof | null;
}

async function store(
  tx: Tx,
  ctx: MemberContext,
  { name, credential }: Pick<Proved, "credential"> & Pick<NewPasskey, "name">,
): Promise<Passkey> {
  const { id, publicKey, counter, transports = [] } = credential;
  const { id: userId } = ctx.actor;
  await assertLease(tx, ctx);
  if ((await passkeyRowsOf(userId, tx)).length >= MAX_PASSKEYS) {
    throw new Problem("VALIDATION_ERROR", `You have ${MAX_PASSKEYS} passkeys. Remove one that you do not use.`);
  }
  const [row] = await tx
    .insert(passkeys)
    .values({
      ...{ id: ctx.resourceId ?? newId("passkey"), userId, credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url") },
      ...{ counter, transports, name: name.trim() },
    })
    .onConflictDoNothing()
    .returning();
  if (!row) throw invalid("response", "This passkey is registered already.");
  return passkeyFromRow(row);
}

/** Returns the credential of a browser's answer, and the proof that it began with. Throws VALIDATION_ERROR for any flaw. */
async function verify(ctx: MemberContext, answer: NewPasskey["response"]): Promise<Proved> {
  const challenge = challengeOf(answer.response.clientDataJSON);
  // Deleted first, so that one challenge allows one attempt.
  const taken = challenge === undefined ? undefined : await takeChallenge(challenge, { newPasskeyOf: ctx.actor.id });
  const credential = challenge !== undefined && taken ? await credentialOf(answer, challenge) : undefined;
  if (credential && taken) return { credential, provedBy: taken.provedBy };
  log().info({ userId: ctx.actor.id, address: ctx.address, requestId: ctx.requestId }, "a new passkey was refused");
  throw invalid("response", "The passkey could not be confirmed. Begin again.");
}

async function credentialOf(answer: NewPasskey["response"], expectedChallenge: string): Promise<WebAuthnCredential | undefined> {
  const { rpID, origin } = relyingParty();
  const response: RegistrationResponseJSON = { ...answer, clientExtensionResults: {} };
  try {
    refuseCertificates(answer.response.attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...{ response, expectedChallenge, expectedOrigin: origin, expectedRPID: rpID },
      ...{ requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS },
    });
    return verified ? registrationInfo.credential : undefined;
  } catch {
    // The library throws for each flaw.
    return undefined;
  }
}

/**
 * Throws an Error for an attestation with certificates. We ask for none, and the library would fetch the lists of revoked certificates that
 * they name, from any address that a stranger wrote into them.
 */
function refuseCertificates(attestationObject: string): void {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isPlain = decoded.get("fmt") === "none" || (decoded.get("fmt") === "packed" && !decoded.get("attStmt").get("x5c"));
  if (!isPlain) throw new Error("an attestation that was not requested");
}
