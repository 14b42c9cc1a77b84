import type { Prover } from "#app/_client/proof.tsx";
import type { MemberContext } from "#services/context.ts";
import { getOwnUser, getTwoFactor } from "#services/users/index.ts";

/** Returns what the forms need that ask the reader for a password or a passkey. */
export async function proverOf(ctx: MemberContext): Promise<Prover> {
  const [{ email }, { passkeys }] = await Promise.all([getOwnUser(ctx), getTwoFactor(ctx)]);
  return { merchantId: ctx.merchant.id, email, hasPasskey: passkeys.length > 0 };
}
