import { and, asc, eq, gt, or, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { refunds } from "#db/schema/refunds.ts";
import { formatMoney, money } from "#lib/money.ts";
import { DAY_MS } from "#lib/time.ts";
import { alertOperators, raiseAlert } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { RefundRow } from "../refund.ts";

const BATCH_SIZE = 200;

type Undecided = Pick<RefundRow, "merchantId" | "id" | "provider" | "paymentReference" | "amount" | "attempts"> & { ageMs: number };

/**
 * Alerts merchants and operators to refunds that their banks leave undecided: after a day, and then once a day. Banks take longer to refund than to pay.
 * Returns how many refunds are undecided for more than a day.
 */
export const alertOnUndecidedRefunds = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  let count = 0;
  for (let last: Undecided | undefined; ; ) {
    const batch = await undecidedAfter(last);
    for (const refund of batch) await alertOn(refund);
    count += batch.length;
    last = batch.at(-1);
    if (!last) return count;
  }
});

function undecidedAfter(last: Undecided | undefined): Promise<Undecided[]> {
  const { merchantId, id, provider, paymentReference, amount, attempts, status, orderedAt } = refunds;
  const beyond = last && or(gt(merchantId, last.merchantId), and(eq(merchantId, last.merchantId), gt(id, last.id)));
  return db()
    .select({
      ...{ merchantId, id, provider, paymentReference, amount, attempts },
      ageMs: sql<number>`(extract(epoch from now() - ${orderedAt}) * 1000)::float8`,
    })
    .from(refunds)
    .where(and(eq(status, "processing"), sql`${orderedAt} < now() - ${DAY_MS} * interval '1 ms'`, beyond))
    .orderBy(asc(merchantId), asc(id))
    .limit(BATCH_SIZE);
}

async function alertOn({ merchantId, id, provider, paymentReference, amount, attempts, ageMs }: Undecided): Promise<void> {
  const days = Math.floor(ageMs / DAY_MS);
  const since = days === 1 ? "a day" : `${days} days`;
  const cause = `${id}:${days}`;
  const sum = formatMoney(money(amount, "NGN"));
  await raiseAlert(db(), merchantId, {
    ...{ type: "refund.undecided", resourceId: paymentReference, cause },
    message: `The bank has not said for more than ${since} whether the refund of ${sum} of link ${paymentReference} arrived. It stays set aside until it does. Do not refund it again: our people ask the bank.`,
  });
  await alertOperators(modeOf(provider), {
    ...{ type: "refund.undecided", resourceId: id, cause },
    message: `The refund of ${sum} ${id} (${merchantId}) has been undecided for more than ${since}, and we asked ${provider} ${attempts} times. Ask ${provider}, then: npm run oja -- refund-settle ${id} --outcome paid --evidence TEXT --reason TEXT, or --outcome failed`,
  });
}
