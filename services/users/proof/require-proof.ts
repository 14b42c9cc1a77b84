import { transaction } from "#db/client.ts";
import type { MemberContext } from "../../context.ts";
import { type ProofPurpose, type ProvenContext, withProof } from "../../proven.ts";
import type { GivenProof } from "../contract.ts";
import { proofIn } from "./given-proof.ts";
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
  return withProof(ctx, purpose);
}
