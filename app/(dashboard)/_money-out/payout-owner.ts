import type { MemberContext } from "#services/context.ts";
import { getOwnUser, getTwoFactor } from "#services/users/index.ts";
import type { PayoutOwner } from "./use-payout-proof.tsx";

/** Returns what the forms need that take money out: in live mode they ask the reader for a second step. */
export async function payoutOwnerOf(ctx: MemberContext, base: string): Promise<PayoutOwner> {
  const [{ email }, { passkeys, isTotpOn }] = await Promise.all([getOwnUser(ctx), getTwoFactor(ctx)]);
  const { id: merchantId, mode } = ctx.merchant;
  return { merchantId, mode, email, isAppOn: isTotpOn, hasPasskeys: passkeys.length > 0, securityHref: `${base}/security` };
}
