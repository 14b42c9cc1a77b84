import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "#services/context.ts";
import type { ProvenContext } from "#services/proven.ts";
import { type GivenProof, requireProof } from "#services/users/index.ts";

type Purpose = Parameters<typeof requireProof>[1];

/** The fields of a proof, which an Idempotency-Key does not compare. */
export const SECRET_FIELDS = ["password", "challenge", "response"] as const;

/**
 * Asks a member for the password or a passkey before a key of live mode is made, rolled or changed: a borrowed browser must not take a secret that
 * outlives its session. Test mode's keys open nothing real, and need none. Throws VALIDATION_ERROR and RATE_LIMITED as `requireProof` does.
 */
export const proveForKeys = async (ctx: MemberContext, proof: Omit<GivenProof, "code">): Promise<MemberContext> =>
  ctx.merchant.mode === "live" ? prove(ctx, "manage_keys", proof) : ctx;

/**
 * Asks a member for the password or a passkey before somebody of the team gets or loses rights. A team has no modes, so this holds in both. Throws as
 * `proveForKeys` does.
 */
export const proveForTeam = (ctx: MemberContext, proof: Omit<GivenProof, "code">): Promise<ProvenContext<"manage_team">> =>
  prove(ctx, "manage_team", proof);

/** A refused proof says nothing of an earlier attempt with the same Idempotency-Key: it may have executed something, so the key is kept. */
async function prove<P extends Purpose>(ctx: MemberContext, purpose: P, proof: Omit<GivenProof, "code">): Promise<ProvenContext<P>> {
  try {
    return await requireProof(ctx, purpose, proof);
  } catch (error) {
    throw ctx.resumed && error instanceof Problem ? error.asUnknown() : error;
  }
}
