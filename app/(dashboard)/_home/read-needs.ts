import { may } from "#app/(dashboard)/_page/may.ts";
import { DAY_MS, MINUTE_MS } from "#lib/time.ts";
import { listAlerts, listStandaloneAlerts } from "#services/alerts/index.ts";
import { listCardholders, listOperationsOfCards } from "#services/cards/index.ts";
import { listReturnedTransfers } from "#services/checkout/index.ts";
import type { Area, MemberContext } from "#services/context.ts";
import { alertTypesOf } from "#services/member-mails/index.ts";
import { listPurchases } from "#services/vtu/index.ts";
import { listEndpoints } from "#services/webhooks/index.ts";

/** The home page shows at most this many needs of each kind. One more is read, so that the page knows whether there are more. */
export const MAX_OF_A_KIND = 3;
const LIMIT = MAX_OF_A_KIND + 1;
/** Enough for all endpoints of a merchant, which has at most 20. */
const MAX_ENDPOINTS = 50;
const FAILED_SINCE_MS = 3 * DAY_MS;
/** An operation or purchase usually takes seconds. One that is undecided for longer than this is shown as slow. */
const TAKES_LONG_MS = 10 * MINUTE_MS;

/**
 * Reads what a member may have to act on, in the areas that are on. Each query has an index and a limit, and they run at once: the cost
 * of the home page does not grow with the business.
 */
export async function readNeeds(ctx: MemberContext, now: Date) {
  const failedSince = new Date(now.getTime() - FAILED_SINCE_MS);
  const failed = { status: "failed", created_after: failedSince, limit: LIMIT } as const;
  const takesLong = { status: "processing", created_before: new Date(now.getTime() - TAKES_LONG_MS), limit: LIMIT } as const;
  const of = <Item>(area: Area, read: () => Promise<Item[]>): Promise<Item[]> =>
    ctx.merchant.areas.includes(area) ? read() : Promise.resolve([]);
  // Before the lists: an alert that comes between them is not marked as seen.
  const newest = await listAlerts(ctx, { limit: 1 });
  const [returned, refused, checking, failedOperations, longOperations, failedPurchases, longPurchases, endpoints, alerts] =
    await Promise.all([
      of("checkout", () => listReturnedTransfers(ctx, { since: failedSince, limit: LIMIT })),
      of("cards", async () => (await listCardholders(ctx, { kyc_status: "REJECTED", limit: LIMIT })).items),
      of("cards", async () => (await listCardholders(ctx, { kyc_status: "PENDING", limit: LIMIT })).items),
      of("cards", async () => (await listOperationsOfCards(ctx, failed)).items),
      of("cards", async () => (await listOperationsOfCards(ctx, takesLong)).items),
      of("vtu", async () => (await listPurchases(ctx, failed)).items),
      of("vtu", async () => (await listPurchases(ctx, takesLong)).items),
      may(ctx, "webhooks:read") ? listEndpoints(ctx, { limit: MAX_ENDPOINTS }).then(({ items }) => items) : [],
      listStandaloneAlerts(ctx, alertTypesOf(ctx.role), LIMIT),
    ]);
  return {
    ...{ returned, refused, checking, failedOperations, longOperations, failedPurchases, longPurchases, endpoints, alerts },
    /** The id of the newest of all alerts, or null where the merchant has none. */
    newestAlertId: newest.items[0]?.id ?? null,
  };
}

export type NeedsRead = Awaited<ReturnType<typeof readNeeds>>;
