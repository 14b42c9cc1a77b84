import { transaction } from "#db/client.ts";
import type { MemberContext } from "../context.ts";
import type { GivenProof } from "./contract.ts";
import { proofIn } from "./given-proof.ts";
import type { ProofPurpose } from "./passkey-challenges.ts";
import { proveAgain } from "./prove-again.ts";
import { checkPasskeyProof } from "./prove-by-passkey.ts";
import { requirePassword } from "./require-password.ts";

/**
 * Asks a member for the password or a passkey, before something that a borrowed browser must not do. The passkey's device verifies its user, so it
 * is a whole proof. Throws VALIDATION_ERROR for a wrong proof, and RATE_LIMITED after too many or when too many wait.
 */
export async function requireProof(ctx: MemberContext, purpose: ProofPurpose, given: Omit<GivenProof, "code">): Promise<void> {
  const proof = proofIn(given);
  if ("password" in proof) return requirePassword(ctx, proof.password);
  await proveAgain(ctx, async (begun) => {
    await transaction(await checkPasskeyProof(ctx, begun, purpose, proof));
    await begun.tried.succeed();
  });
}
