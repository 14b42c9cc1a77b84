import { formatMoney, money } from "#lib/money.ts";
import { bindProvider } from "#services/merchants/index.ts";
import { AGGREGATOR_NAMES } from "#services/providers/index.ts";
import { listExceptions, listStuckPurchases, markExceptionsSeen } from "#services/vtu/index.ts";
import { Misuse, merchantNamed } from "./cli-misuse.ts";

export async function setAggregator(merchant: string, aggregator: string): Promise<void> {
  const { id, mode } = await merchantNamed(merchant);
  if (mode === "live") throw new Misuse("There is no aggregator for live mode yet.");
  if (!AGGREGATOR_NAMES.includes(aggregator)) throw new Misuse(`AGGREGATOR is one of ${AGGREGATOR_NAMES.join(", ")}.`);
  await bindProvider(id, "aggregator", aggregator);
  console.log(`New purchases of ${id} go to ${aggregator}; its products have other ids.`);
}

const STUCK_AFTER_HOURS = 1;

export async function showVtuExceptions(): Promise<void> {
  const naira = (minor: bigint) => formatMoney(money(minor, "NGN"));
  const exceptions = await listExceptions();
  if (exceptions.length === 0) console.log("No purchase was taken back or delivered late that nobody has seen.");
  else
    console.table(
      exceptions.map(({ purchaseId, merchantId, kind, amount, reason, createdAt }) => ({
        purchase: purchaseId,
        merchant: merchantId,
        what: kind,
        amount: naira(amount),
        reason,
        at: createdAt.toISOString(),
      })),
    );
  const stuck = await listStuckPurchases(STUCK_AFTER_HOURS);
  if (stuck.length === 0) return console.log("No purchase is undecided for more than an hour.");
  console.log("Undecided for more than an hour:");
  console.table(
    stuck.map(({ id, merchantId, provider, amount, attempts, createdAt }) => ({
      purchase: id,
      merchant: merchantId,
      provider,
      amount: naira(amount),
      asked: attempts,
      since: createdAt.toISOString(),
    })),
  );
}

export async function seeVtuException(purchase: string): Promise<void> {
  if ((await markExceptionsSeen(purchase)) === 0)
    throw new Misuse(`There is no unseen exception of ${purchase}. See: npm run oja -- vtu-exceptions`);
  console.log(`The exceptions of ${purchase} are seen.`);
}
