import { listApiKeys } from "#services/api-keys/index.ts";
import { listCardholders } from "#services/cards/index.ts";
import { listPaymentLinks } from "#services/checkout/index.ts";
import type { Area, MemberContext } from "#services/context.ts";
import { listInvitations, listTeam } from "#services/members/index.ts";
import { areFirstStepsHidden, getBusiness } from "#services/merchants/index.ts";
import { getTwoFactor } from "#services/users/index.ts";
import { listPurchases } from "#services/vtu/index.ts";
import { hasDelivered } from "#services/webhooks/index.ts";

/** The step counts as done if one of this many newest keys was used. Use of an older key is not seen. */
const MAX_KEYS = 20;

/** Returns which first steps are done, or undefined if the business has hidden them. Most lists are read only up to their first row. */
export async function readSteps(ctx: MemberContext) {
  if (await areFirstStepsHidden(ctx)) return undefined;
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
