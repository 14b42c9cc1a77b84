import { listApiKeys } from "#services/api-keys/index.ts";
import { listCardholders } from "#services/cards/index.ts";
import { listPaymentLinks } from "#services/checkout/index.ts";
import type { Area, MemberContext } from "#services/context.ts";
import { listInvitations, listTeam } from "#services/members/index.ts";
import { areStepsAway, getBusiness } from "#services/merchants/index.ts";
import { getTwoFactor } from "#services/users/index.ts";
import { listPurchases } from "#services/vtu/index.ts";
import { hasDelivered } from "#services/webhooks/index.ts";

/** Keys that are looked at: one of the newest was used, or the step is shown once more. */
const MAX_KEYS = 20;

/** Reads which first steps are done; undefined where they are put away. Each list ends at its first row. */
export async function readSteps(ctx: MemberContext) {
  if (await areStepsAway(ctx)) return undefined;
  const some = async (area: Area, list: () => Promise<{ items: unknown[] }>) =>
    ctx.merchant.areas.includes(area) && (await list()).items.length > 0;
  const one = { limit: 1 };
  const [link, payment, cardholder, purchase, twoFactor, keys, webhook, business, team, invitations] = await Promise.all([
    some("checkout", () => listPaymentLinks(ctx, one)),
    some("checkout", () => listPaymentLinks(ctx, { ...one, status: "success" })),
    some("cards", () => listCardholders(ctx, one)),
    some("vtu", () => listPurchases(ctx, one)),
    getTwoFactor(ctx),
    listApiKeys(ctx, { limit: MAX_KEYS }),
    hasDelivered(ctx),
    getBusiness(ctx),
    listTeam(ctx),
    listInvitations(ctx),
  ]);
  return {
    ...{ link, payment, cardholder, purchase, webhook },
    twoFactor: twoFactor.isTotpOn || twoFactor.passkeys.length > 0,
    keyUsed: keys.items.some(({ lastUsedAt }) => lastUsedAt !== null),
    brand: business.logo !== null || business.brandVersion > 1,
    invited: team.length > 1 || invitations.length > 0,
  };
}

export type StepsDone = NonNullable<Awaited<ReturnType<typeof readSteps>>>;
