import { and, asc, eq, gt, or, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { payouts } from "#db/schema/payouts.ts";
import { formatMoney, money } from "#lib/money.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { alertOperators, raiseAlert } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { PayoutRow } from "../payout.ts";

const BATCH_SIZE = 200;

type Undecided = Pick<PayoutRow, "merchantId" | "id" | "provider" | "bankName" | "accountNumber" | "amount" | "attempts"> & {
  ageMs: number;
};

/**
 * Alerts merchants and operators to payouts that their banks leave undecided: after an hour, after a day, and then once a day. Returns how many payouts
 * are undecided for more than an hour.
 */
export const alertOnUndecidedPayouts = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  let count = 0;
  for (let last: Undecided | undefined; ; ) {
    const batch = await undecidedAfter(last);
    for (const payout of batch) await alertOn(payout);
    count += batch.length;
    last = batch.at(-1);
    if (!last) return count;
  }
});

function undecidedAfter(last: Undecided | undefined): Promise<Undecided[]> {
  const { merchantId, id, provider, bankName, accountNumber, amount, attempts, status, createdAt } = payouts;
  const beyond = last && or(gt(merchantId, last.merchantId), and(eq(merchantId, last.merchantId), gt(id, last.id)));
  return db()
    .select({
      ...{ merchantId, id, provider, bankName, accountNumber, amount, attempts },
      ageMs: sql<number>`(extract(epoch from now() - ${createdAt}) * 1000)::float8`,
    })
    .from(payouts)
    .where(and(eq(status, "processing"), sql`${createdAt} < now() - ${HOUR_MS} * interval '1 ms'`, beyond))
    .orderBy(asc(merchantId), asc(id))
    .limit(BATCH_SIZE);
}

async function alertOn({ merchantId, id, provider, bankName, accountNumber, amount, attempts, ageMs }: Undecided): Promise<void> {
  const days = Math.floor(ageMs / DAY_MS);
  const since = days === 0 ? "an hour" : days === 1 ? "a day" : `${days} days`;
  const cause = `${id}:${days}`;
  const sum = formatMoney(money(amount, "NGN"));
  await raiseAlert(db(), merchantId, {
    ...{ type: "payout.undecided", resourceId: id, cause },
    message: `The bank has not said for more than ${since} whether ${sum} reached ${bankName} ••${accountNumber.slice(-4)}. It stays set aside until it does. Do not send it again: our people ask the bank.`,
  });
  await alertOperators(modeOf(provider), {
    ...{ type: "payout.undecided", resourceId: id, cause },
    message: `${sum} of ${id} (${merchantId}) has been undecided for more than ${since}, and we asked ${provider} ${attempts} times. Ask ${provider}, then: npm run oja -- payout-settle ${id} --outcome paid --evidence TEXT --reason TEXT, or --outcome failed`,
  });
}
