import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "#services/context.ts";
import { type GivenProof, requireProof } from "#services/users/index.ts";

type Purpose = Parameters<typeof requireProof>[1];

/** The fields of a proof, which an Idempotency-Key does not compare. */
export const SECRET_FIELDS = ["password", "challenge", "response"] as const;

/**
 * Asks a member for the password or a passkey before a key of live mode is made, rolled or changed: a borrowed browser must not take a secret that
 * outlives its session. Test mode's keys open nothing real, and need none. Throws VALIDATION_ERROR and RATE_LIMITED as `requireProof` does.
 */
export async function proveForKeys(ctx: MemberContext, proof: Omit<GivenProof, "code">): Promise<void> {
  if (ctx.merchant.mode === "live") await prove(ctx, "manage_keys", proof);
}

/**
 * Asks a member for the password or a passkey before the team gets more rights: a borrowed browser must not bring its user in. A team has no modes,
 * so this holds in both. Throws as `proveForKeys` does.
 */
export const proveForTeam = (ctx: MemberContext, proof: Omit<GivenProof, "code">): Promise<void> => prove(ctx, "manage_team", proof);

/** A refused proof says nothing of an earlier attempt with the same Idempotency-Key: it may have executed something, so the key is kept. */
async function prove(ctx: MemberContext, purpose: Purpose, proof: Omit<GivenProof, "code">): Promise<void> {
  try {
    await requireProof(ctx, purpose, proof);
  } catch (error) {
    throw ctx.resumed && error instanceof Problem ? error.asUnknown() : error;
  }
}
