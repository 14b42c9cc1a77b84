import { prove } from "#app/api/dashboard/prove.ts";
import { takesMoneyOut } from "#services/api-keys/index.ts";
import type { MemberContext } from "#services/context.ts";
import type { GivenProof } from "#services/users/index.ts";
import type { MerchantNeeds } from "#services/verb.ts";

/** As `prove`, for a verb that gives a key: a second factor is needed where the key may take money out. */
export const proveForKey = (
  ctx: MemberContext,
  { needs }: { needs: MerchantNeeds },
  proof: GivenProof,
  permissions: readonly string[],
): Promise<MemberContext> => prove(ctx, { needs: takesMoneyOut(permissions) ? { ...needs, withSecondFactor: true } : needs }, proof);
