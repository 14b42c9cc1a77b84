import type { Command } from "commander";
import { formatMoney } from "#lib/money.ts";
import { listExceptions, listStuckPurchases, markExceptionsSeen } from "#services/vtu/index.ts";
import { Misuse, operator } from "./context.ts";

const STUCK_AFTER_HOURS = 1;

export function addTopUpCommands(program: Command): void {
  program
    .command("vtu-exceptions")
    .description(
      "Lists purchases that were taken back, or delivered after their refund, and those that are undecided for more than an hour.",
    )
    .action(showExceptions);
  program
    .command("vtu-seen <purchase>")
    .description("Says that somebody has looked at the exceptions of a purchase.")
    .action(seeExceptions);
}

async function showExceptions(): Promise<void> {
  const exceptions = await listExceptions(operator);
  if (exceptions.length === 0) console.log("No purchase was taken back or delivered late that nobody has seen.");
  else
    console.table(
      exceptions.map(({ purchaseId, merchantId, kind, amount, reason, createdAt }) => ({
        purchase: purchaseId,
        merchant: merchantId,
        what: kind,
        amount: formatMoney(amount),
        reason,
        at: createdAt.toISOString(),
      })),
    );
  const stuck = await listStuckPurchases(operator, STUCK_AFTER_HOURS);
  if (stuck.length === 0) return console.log("No purchase is undecided for more than an hour.");
  console.log("Undecided for more than an hour:");
  console.table(
    stuck.map(({ id, merchantId, provider, amount, attempts, createdAt }) => ({
      purchase: id,
      merchant: merchantId,
      provider,
      amount: formatMoney(amount),
      asked: attempts,
      since: createdAt.toISOString(),
    })),
  );
}

async function seeExceptions(purchase: string): Promise<void> {
  if ((await markExceptionsSeen(operator, purchase)) === 0)
    throw new Misuse(`There is no unseen exception of ${purchase}. See: npm run oja -- vtu-exceptions`);
  console.log(`The exceptions of ${purchase} are seen.`);
}
