import { listApiKeys } from "#services/api-keys/index.ts";
import { listCardholders } from "#services/cards/index.ts";
import { listPaymentLinks } from "#services/checkout/index.ts";
import type { Area, MemberContext } from "#services/context.ts";
import { getTwoFactor } from "#services/users/index.ts";
import { listPurchases } from "#services/vtu/index.ts";

/** Reads which first steps are done. Each list ends at its first row. */
export async function readSteps(ctx: MemberContext) {
  const some = async (area: Area, list: () => Promise<{ items: unknown[] }>) =>
    ctx.merchant.areas.includes(area) && (await list()).items.length > 0;
  const one = { limit: 1 };
  const [link, payment, cardholder, purchase, twoFactor, keys] = await Promise.all([
    some("checkout", () => listPaymentLinks(ctx, one)),
    some("checkout", () => listPaymentLinks(ctx, { ...one, status: "success" })),
    some("cards", () => listCardholders(ctx, one)),
    some("vtu", () => listPurchases(ctx, one)),
    getTwoFactor(ctx),
    listApiKeys(ctx, one),
  ]);
  return {
    link,
    payment,
    cardholder,
    purchase,
    twoFactor: twoFactor.isTotpOn || twoFactor.passkeys.length > 0,
    keys: keys.items.length > 0,
  };
}

export type StepsDone = Awaited<ReturnType<typeof readSteps>>;
