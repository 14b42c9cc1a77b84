import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import { formatMoney } from "#lib/money.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { lagosClock, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { PaymentLink } from "#services/checkout/index.ts";
import {
  beginRoundTrip,
  checkLive,
  getRoundTrip,
  getRoundTripRefund,
  isPassed,
  listConfiguredBanks,
  recordRoundTrip,
  refundRoundTrip,
} from "#services/going-live/index.ts";
import { Misuse, merchantNamed, operator } from "./context.ts";
import { type Named, proposeAs, withName } from "./named.ts";
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
    .option("--reference <reference>", "goes on with a round trip that was begun before")
    .action(roundTrip);
  withName(program.command("unlock-live <merchant>"))
    .description(
      "Proposes to open live mode for a merchant whose bank has a green check of the last 24 hours. Then switch its areas on: enable-area.",
    )
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
  console.log(
    "\nAll of it is well. Open live mode for a merchant: npm run oja -- unlock-live MERCHANT --reason TEXT --as EMAIL --code CODE",
  );
}

async function unlock(merchant: string, { reason, ...named }: Named & { reason: string }): Promise<void> {
  await merchantNamed(merchant);
  await proposeAs(named, { kind: "live.unlock", payload: { merchant }, reason });
  console.log(`Once live mode is open, switch its areas on: npm run oja -- enable-area ${merchant} checkout`);
}

const LOOK_EVERY_MS = 2 * SECOND_MS;
/** The worker reads an account a minute after the end of its link. */
const MARGIN_MS = 3 * MINUTE_MS;
const REFUNDED_WITHIN_MS = 5 * MINUTE_MS;

async function roundTrip(bank: string, { reference }: { reference?: string }): Promise<void> {
  const link = reference === undefined ? await beginRoundTrip(operator, bank) : await getRoundTrip(operator, bank, reference);
  if (reference === undefined) showAccount(link);
  const again = `npm run oja -- round-trip ${bank} --reference ${link.reference}`;
  console.log(`If this ends early, go on with: ${again}`);
  const elapsedMs = startStopwatch();
  const withinMs = Math.max(0, link.expiresAt.getTime() - Date.now()) + MARGIN_MS;
  const read = () => getRoundTrip(operator, bank, link.reference);
  const paid = await look(withinMs, read, ({ status }) => status === "success");
  const sum = formatMoney(link.amount);
  if (paid.status !== "success")
    throw new Misuse(
      `${sum} did not come. If you have sent them, no notice of ${bank} reached us, or the amount was another one: look at the webhook URL in its dashboard, and at npm run oja -- alerts. If they come later: ${again}`,
    );
  const [transfer] = paid.transfers;
  console.log(`${sum} came after ${inSeconds(elapsedMs())}, from ${transfer?.senderName ?? "a sender that the bank does not tell"}.`);
  if (await sendBack(bank, link.reference, again)) console.log(`It went back after ${inSeconds(elapsedMs())}.`);
  else console.log(`${bank} refunds nothing by itself, so the money stays in the wallet of mer_platform_live.`);
  await recordRoundTrip(operator, bank, link.reference);
  console.log(`Check all of it: npm run oja -- check-live ${bank}`);
}

const inSeconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

function showAccount({ amount, accountNumber, accountName, bankName, expiresAt }: PaymentLink): void {
  console.log(`Send exactly ${formatMoney(amount)}, once, before ${lagosClock(expiresAt)} (Lagos), from an account of your own, to`);
  console.log(`  ${accountNumber}  ${bankName}\n  ${accountName}\nNo fee may be taken from the amount.`);
}

/** Returns whether the money has gone back: false at a bank that refunds nothing by itself. Throws `Misuse` where it does not within five minutes. */
async function sendBack(bank: string, reference: string, again: string): Promise<boolean> {
  const refund = await refundRoundTrip(operator, bank, reference);
  if (!refund) return false;
  const read = () => getRoundTripRefund(operator, bank, refund.id);
  const { status, failureReason } = await look(REFUNDED_WITHIN_MS, read, (now) => now.status !== "processing");
  if (status === "processing") throw new Misuse(`It is on its way back, and ${bank} has not said that it arrived. Go on later: ${again}`);
  if (status !== "paid") throw new Misuse(`It did not go back: ${failureReason ?? status}. Refunds do not work at ${bank}.`);
  return true;
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
