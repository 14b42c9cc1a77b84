import type { MemberContext } from "#services/context.ts";
import { getOwnUser, getTwoFactor } from "#services/users/index.ts";
import type { KeyOwner } from "./key-proof.tsx";

/** Returns the reader as a person who manages keys. */
export async function keyOwner(ctx: MemberContext): Promise<KeyOwner> {
  const [{ email }, { passkeys }] = await Promise.all([getOwnUser(ctx), getTwoFactor(ctx)]);
  return { merchantId: ctx.merchant.id, mode: ctx.merchant.mode, email, hasPasskey: passkeys.length > 0 };
}
