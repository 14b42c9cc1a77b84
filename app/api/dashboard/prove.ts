import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "#services/context.ts";
import type { ProofPurpose, ProvenContext } from "#services/proven.ts";
import { type GivenProof, requireProof, requireSecondFactor } from "#services/users/index.ts";
import { type MerchantNeeds, proofFor } from "#services/verb.ts";

/** The fields of a proof, which an Idempotency-Key does not compare. */
export const SECRET_FIELDS = ["password", "challenge", "response"] as const;
export const SECRET_FIELDS_WITH_CODE = [...SECRET_FIELDS, "code"] as const;

type Purpose = Parameters<typeof requireProof>[1];
type Given = GivenProof;

/**
 * Asks a member for the password or a passkey, or for a second factor, where the declaration of a verb asks for a proof. Returns the context for the verb. Throws
 * the errors of `requireProof`. The Idempotency-Key is kept after a refused proof, because an earlier attempt with it may have
 * executed something.
 */
export function prove<P extends Purpose>(
  ctx: MemberContext,
  verb: { needs: { proof: P; proofOnlyInLive?: never } },
  proof: Given,
): Promise<ProvenContext<P>>;
export function prove(ctx: MemberContext, verb: { needs: MerchantNeeds }, proof: Given): Promise<MemberContext>;
export async function prove(
  ctx: MemberContext,
  { needs }: { needs: Omit<MerchantNeeds, "permission"> },
  proof: Given,
): Promise<MemberContext> {
  const purpose: ProofPurpose | undefined = proofFor(needs, ctx.merchant);
  if (!purpose) return ctx;
  try {
    const { code: _, ...first } = proof;
    return await (needs.withSecondFactor ? requireSecondFactor(ctx, purpose, proof) : requireProof(ctx, purpose, first));
  } catch (error) {
    throw ctx.resumed && error instanceof Problem ? error.asUnknown() : error;
  }
}
