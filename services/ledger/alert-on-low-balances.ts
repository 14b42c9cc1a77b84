import { and, eq, sql } from "drizzle-orm";
import { sql as query, type Tx, transaction } from "#db/client.ts";
import { balanceLimits } from "#db/schema/alerts.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";
import { raiseAlert } from "../alerts/index.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import { WALLET } from "./accounts.ts";

const MAX_ROWS = 200;
/** A merchant gets at most one alert in this time, even if the balance crosses the limit several times. */
const MIN_HOURS_BETWEEN = 1;

/**
 * Alerts merchants whose available balance has fallen below their limit, and again only after the balance was above it, at most once an
 * hour. Returns how many merchants it looked at, at most 200. Looks up the wallet of each limit: a join may be planned for the wallets of all
 * merchants.
 */
export const alertOnLowBalances = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const changed = await query()<{ merchant_id: string }[]>`
    select /* of all merchants */ l.merchant_id from balance_limits l
    cross join lateral (select available from ledger_accounts where merchant_id = l.merchant_id and account = ${WALLET} limit 1) a
    where (a.available < l.kobo) <> (l.below_since is not null)
      and (l.below_since is not null or l.alerted_at is null or l.alerted_at < now() - ${MIN_HOURS_BETWEEN} * interval '1 hour')
    order by l.merchant_id limit ${MAX_ROWS}`;
  await forEachAtOnce(changed, async ({ merchant_id }) => {
    try {
      await transaction((tx) => compare(tx, merchant_id));
    } catch (error) {
      log().error({ merchantId: merchant_id, err: error }, "a balance could not be compared with its limit; the next sweep tries again");
    }
  });
  return changed.length;
});

async function compare(tx: Tx, merchantId: string): Promise<void> {
  const isOfMerchant = eq(balanceLimits.merchantId, merchantId);
  // Locked, so that only one of two workers alerts. The balance is read again, because it may have changed.
  const [limit] = await tx.select().from(balanceLimits).where(isOfMerchant).for("update");
  const [wallet] = await tx
    .select({ available: ledgerAccounts.available })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.merchantId, merchantId), eq(ledgerAccounts.account, WALLET)));
  if (!limit || !wallet) return;
  const { available } = wallet;
  const isBelow = available < limit.kobo;
  const wasAlertedJustNow = limit.alertedAt !== null && limit.alertedAt.getTime() > Date.now() - MIN_HOURS_BETWEEN * HOUR_MS;
  if (isBelow === (limit.belowSince !== null) || (isBelow && wasAlertedJustNow)) return;
  const now = sql`now()`;
  await tx
    .update(balanceLimits)
    .set(isBelow ? { belowSince: now, alertedAt: now } : { belowSince: null })
    .where(isOfMerchant);
  if (!isBelow) return;
  const [has, wanted] = [formatMoney(money(available, "NGN")), formatMoney(money(limit.kobo, "NGN"))];
  await raiseAlert(tx, merchantId, {
    ...{ type: "wallet.below_limit", resourceId: merchantId },
    message: `${has} is left to spend, which is below the ${wanted} that you asked to be alerted at.`,
  });
}
