import { transaction } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "../../context.ts";
import { type ProofPurpose, type ProvenContext, withProof } from "../../proven.ts";
import type { GivenProof } from "../contract.ts";
import { hasSecondFactor } from "../factors/factors.ts";
import { proofIn } from "./given-proof.ts";
import { changeWithProof } from "./prove-again.ts";
import { checkPasskeyProof } from "./prove-by-passkey.ts";
import { requirePassword } from "./require-password.ts";

/**
 * Asks a member for the password or a passkey, before an act that a thief of an open browser must not do. A passkey's device verifies its user: it
 * is a full proof. Returns the context for the verb that needs the proof. Throws VALIDATION_ERROR for a wrong proof, and RATE_LIMITED after too
 * many wrong passwords or when too many wait.
 */
export async function requireProof<Purpose extends ProofPurpose>(
  ctx: MemberContext,
  purpose: Purpose,
  given: Omit<GivenProof, "code">,
): Promise<ProvenContext<Purpose>> {
  const proof = proofIn(given);
  if ("password" in proof) await requirePassword(ctx, proof.password);
  else await transaction(await checkPasskeyProof(ctx, purpose, proof));
  return withProof(ctx, purpose, { hasSecondFactor: !("password" in proof) });
}

/**
 * As `requireProof`, before an act that a thief of a password must not do either: asks for a passkey, or for the password with a code of the
 * authenticator app or a recovery code. Throws PERMISSION_DENIED for a member without a second factor, who sets one up first.
 */
export async function requireSecondFactor<Purpose extends ProofPurpose>(
  ctx: MemberContext,
  purpose: Purpose,
  given: GivenProof,
): Promise<ProvenContext<Purpose>> {
  const proof = proofIn(given);
  if (!(await hasSecondFactor(ctx.actor.id))) {
    throw new Problem("PERMISSION_DENIED", "This needs two-step sign-in. Turn it on first, on the page Your security.");
  }
  if ("password" in proof) await changeWithProof(ctx, "always", proof, async () => {});
  else await transaction(await checkPasskeyProof(ctx, purpose, proof));
  return withProof(ctx, purpose, { hasSecondFactor: true });
}
