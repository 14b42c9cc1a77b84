import { and, asc, eq, gt, or, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { purchases } from "#db/schema/vtu.ts";
import { formatMoney, money } from "#lib/money.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { alertOperators, raiseAlert } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { PurchaseRow } from "../purchase.ts";

const BATCH_SIZE = 200;

type Undecided = Pick<PurchaseRow, "merchantId" | "id" | "provider" | "productName" | "amount" | "attempts"> & { ageMs: number };

/**
 * Alerts merchants and operators to purchases that their aggregators leave undecided: after an hour, after a day, and then once a day. Returns how
 * many purchases are undecided for more than an hour.
 */
export const alertOnUndecidedPurchases = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  let count = 0;
  for (let last: Undecided | undefined; ; ) {
    const batch = await undecidedAfter(last);
    for (const purchase of batch) await alertOn(purchase);
    count += batch.length;
    last = batch.at(-1);
    if (!last) return count;
  }
});

function undecidedAfter(last: Undecided | undefined): Promise<Undecided[]> {
  const { merchantId, id, provider, productName, amount, attempts, status, createdAt } = purchases;
  const beyond = last && or(gt(merchantId, last.merchantId), and(eq(merchantId, last.merchantId), gt(id, last.id)));
  return db()
    .select({
      ...{ merchantId, id, provider, productName, amount, attempts },
      ageMs: sql<number>`(extract(epoch from now() - ${createdAt}) * 1000)::float8`,
    })
    .from(purchases)
    .where(and(eq(status, "processing"), sql`${createdAt} < now() - ${HOUR_MS} * interval '1 ms'`, beyond))
    .orderBy(asc(merchantId), asc(id))
    .limit(BATCH_SIZE);
}

async function alertOn({ merchantId, id, provider, productName, amount, attempts, ageMs }: Undecided): Promise<void> {
  const days = Math.floor(ageMs / DAY_MS);
  const since = days === 0 ? "an hour" : days === 1 ? "a day" : `${days} days`;
  const cause = `${id}:${days}`;
  const held = formatMoney(money(amount, "NGN"));
  await raiseAlert(db(), merchantId, {
    ...{ type: "vtu.undecided", resourceId: id, cause },
    message: `The provider has not said for more than ${since} whether ${productName} was delivered. ${held} stays set aside until it does. Do not buy it again: our people ask the provider.`,
  });
  await alertOperators(modeOf(provider), {
    ...{ type: "purchase.undecided", resourceId: id, cause },
    message: `${productName} (${id} of ${merchantId}) has been undecided for more than ${since}; ${held} is held, and we asked ${provider} ${attempts} times. Ask ${provider}, then: npm run oja -- vtu-settle ${id} --outcome delivered --evidence TEXT --reason TEXT, or --outcome failed. Tokens and PINs go into a file: --delivery FILE`,
  });
}
