import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import { formatMoney } from "#lib/money.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import {
  beginRoundTrip,
  checkLive,
  finishRoundTrip,
  getRoundTrip,
  getRoundTripRefund,
  isPassed,
  listConfiguredBanks,
  unlockLive,
} from "#services/going-live/index.ts";
import { Misuse, merchantNamed, operator } from "./context.ts";
import { REASON } from "./options.ts";

export function addGoingLiveCommands(program: Command): void {
  program
    .command("check-live [bank]")
    .description(
      "Checks a live bank, or all whose settings are set: keys, accounts, notices, payouts. Opens an account of ₦100 that nobody pays.",
    )
    .action(check);
  program
    .command("round-trip <bank>")
    .description("Lets you pay ₦100 by a live bank, and sends them back. Web process and worker must run.")
    .action(roundTrip);
  program
    .command("unlock-live <merchant>")
    .description("Opens live mode for a merchant whose bank has a green check of the last 24 hours. Then switch its areas on: enable-area.")
    .requiredOption(...REASON)
    .action(unlock);
}

async function check(bank: string | undefined): Promise<void> {
  const names = bank === undefined ? listConfiguredBanks() : [bank];
  if (names.length === 0) throw new Misuse("No live bank has its settings. See .env.example and docs/going-live.md.");
  const red: string[] = [];
  for (const name of names) {
    const checks = await checkLive(operator, name);
    console.log(`\n${name}`);
    for (const { claim, problem } of checks) console.log(problem === null ? `  yes  ${claim}.` : `  NO   ${claim}.\n       ${problem}`);
    if (!checks.every(isPassed)) red.push(name);
  }
  if (red.length > 0) throw new Misuse(`Not ready for real money: ${red.join(", ")}.`);
  console.log("\nReady for real money. Open live mode for a merchant: npm run oja -- unlock-live MERCHANT --reason TEXT");
}

async function unlock(merchant: string, { reason }: { reason: string }): Promise<void> {
  await merchantNamed(merchant);
  const isChanged = await unlockLive(operator, merchant, reason);
  console.log(
    isChanged
      ? `Live mode of ${merchant} is open. Switch its areas on: npm run oja -- enable-area ${merchant} checkout`
      : `${merchant} was so before. Nothing changed.`,
  );
}

const LOOK_EVERY_MS = 2 * SECOND_MS;
const PAID_WITHIN_MS = 35 * MINUTE_MS;
const REFUNDED_WITHIN_MS = 5 * MINUTE_MS;

async function roundTrip(bank: string): Promise<void> {
  const elapsedMs = startStopwatch();
  const seconds = () => `${Math.round(elapsedMs() / 1_000)} s`;
  const { reference, accountNumber, accountName, bankName, amount } = await beginRoundTrip(operator, bank);
  console.log(`Send ${formatMoney(amount)} now, from an account of your own, to\n  ${accountNumber}  ${bankName}\n  ${accountName}`);
  const link = await look(
    PAID_WITHIN_MS,
    () => getRoundTrip(operator, bank, reference),
    ({ status }) => status !== "pending",
  );
  if (link.status !== "success")
    throw new Misuse(`No money came for ${reference} within its time. If you have sent it, it goes back, or: npm run oja -- suspense`);
  const [transfer] = link.transfers;
  console.log(`${formatMoney(amount)} came after ${seconds()}, from ${transfer?.senderName ?? "a sender that the bank does not tell"}.`);
  const refund = await finishRoundTrip(operator, bank, reference);
  if (!refund) return console.log(`${bank} refunds nothing by itself, so the money stays in the wallet of mer_platform_live.`);
  const ended = await look(
    REFUNDED_WITHIN_MS,
    () => getRoundTripRefund(operator, bank, refund.id),
    ({ status }) => status !== "processing",
  );
  const words = { paid: `It went back after ${seconds()}.`, processing: "It is on its way back. See later: npm run oja -- refunds" };
  console.log(words[ended.status as keyof typeof words] ?? `It did not go back: ${ended.failureReason ?? ended.status}.`);
  console.log(`Check all of it: npm run oja -- check-live ${bank}`);
}

/** Reads until that is as it should be, or the time is over. Returns the last reading. */
async function look<T>(withinMs: number, read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const elapsedMs = startStopwatch();
  let value = await read();
  while (!isDone(value) && elapsedMs() < withinMs) {
    await wait(LOOK_EVERY_MS);
    value = await read();
  }
  return value;
}
