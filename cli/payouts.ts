import { type Command, Option } from "commander";
import { formatMoney, money, toMinorUnits } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";
import { decideBankAccount, listAccountsToDecide, listStuckPayouts, setPayoutFee, setPayoutLimits } from "#services/payouts/index.ts";
import { Misuse, merchantNamed, operator } from "./context.ts";
import { type Named, proposeAs, withName } from "./named.ts";
import { type BanksWord, REASON, toKobo, toNumber, withBanksWord } from "./options.ts";

const STUCK_AFTER_HOURS = 1;

export function addPayoutCommands(program: Command): void {
  program
    .command("payouts")
    .description("Lists payouts that are undecided for more than an hour, and bank accounts that wait for your decision.")
    .action(showPayouts);
  withName(withBanksWord(program.command("payout-settle <payout>")))
    .description("Proposes how a payout ends that its bank never decides, or about which it contradicts us, by what the bank told you.")
    .action(settle);
  program
    .command("bank-account <account>")
    .description("Decides about a bank account whose owner does not have the name of the business.")
    .addOption(
      new Option("--decision <decision>", "whether it belongs to the business").choices(["approve", "refuse"]).makeOptionMandatory(),
    )
    .requiredOption(...REASON)
    .action(decide);
  program
    .command("set-payout-limits <merchant>")
    .description(
      "Sets how much a merchant may pay out, and how long its payments wait. For a whole mode: mer_platform_test or mer_platform_live.",
    )
    .requiredOption("--payout <naira>", "the most of one payout", toKobo)
    .requiredOption("--day <naira>", "the most of all payouts of a day", toKobo)
    .requiredOption("--delay-hours <hours>", "how long money of payment links waits before it can be paid out", toNumber)
    .action(setLimits);
  program
    .command("set-payout-fee <merchant>")
    .description("Sets the fee of payouts, from now on. For a whole mode: mer_platform_test or mer_platform_live.")
    .option("--flat <naira>", "a fixed part", toKobo, 0n)
    .option("--percent <percent>", "a part of the amount", toNumber, 0)
    .option("--minimum <naira>", "the least fee", toKobo, 0n)
    .option("--maximum <naira>", "the highest fee", toKobo)
    .action(setFee);
}

async function showPayouts(): Promise<void> {
  const stuck = await listStuckPayouts(operator, STUCK_AFTER_HOURS);
  if (stuck.length === 0) console.log("No payout is undecided for more than an hour.");
  else {
    console.log("Undecided for more than an hour:");
    console.table(
      stuck.map(({ id, merchantId, provider, bankName, amount, attempts, createdAt }) => ({
        payout: id,
        merchant: merchantId,
        provider,
        bank: bankName,
        amount: formatMoney(amount),
        "times asked": attempts,
        since: createdAt.toISOString(),
      })),
    );
  }
  const accounts = await listAccountsToDecide(operator);
  if (accounts.length === 0) return console.log("No bank account waits for a decision.");
  console.log("Bank accounts whose owner does not have the name of the business:");
  console.table(
    accounts.map(({ id, merchantId, bankName, accountNumber, accountName, createdAt }) => ({
      account: id,
      merchant: merchantId,
      bank: bankName,
      number: `••${accountNumber.slice(-4)}`,
      owner: accountName,
      since: createdAt.toISOString(),
    })),
  );
}

const settle = (id: string, { outcome, was, evidence, reason, ...named }: BanksWord & Named): Promise<void> =>
  proposeAs(named, { kind: "payout.settle", payload: { id, outcome, was, evidence }, reason });

async function decide(account: string, { decision, reason }: { decision: "approve" | "refuse"; reason: string }): Promise<void> {
  if (!(await decideBankAccount(operator, account, { approves: decision === "approve", reason })))
    throw new Misuse(`No bank account ${account} waits for a decision. See: npm run oja -- payouts`);
  console.log(decision === "approve" ? `${account} can be used once its wait is over.` : `${account} is refused and removed.`);
}

async function setLimits(id: string, { payout, day, delayHours }: { payout: bigint; day: bigint; delayHours: number }): Promise<void> {
  const { merchant } = await merchantNamed(id);
  const [maxAmount, maxADay] = [money(payout, "NGN"), money(day, "NGN")];
  await setPayoutLimits(operator, merchant, { maxAmount, maxADay, delayMs: Math.round(delayHours * HOUR_MS) });
  console.log(`${id} pays out at most ${formatMoney(maxAmount)} at once and ${formatMoney(maxADay)} a day. Payments wait ${delayHours} h.`);
}

const naira = (kobo: bigint) => formatMoney(money(kobo, "NGN"));

interface FeeOptions {
  flat: bigint;
  percent: number;
  minimum: bigint;
  maximum?: bigint;
}

async function setFee(id: string, { flat, percent, minimum, maximum }: FeeOptions): Promise<void> {
  const { merchant } = await merchantNamed(id);
  // Two decimals of a percent are basis points.
  const bps = Number(toMinorUnits(percent) ?? Number.NaN);
  await setPayoutFee(operator, merchant, { flat, bps, minimum, maximum: maximum ?? null });
  const parts = [...(flat > 0n ? [naira(flat)] : []), ...(bps > 0 ? [`${percent} %`] : [])];
  const bounds = [...(minimum > 0n ? [`at least ${naira(minimum)}`] : []), ...(maximum ? [`at most ${naira(maximum)}`] : [])];
  console.log(`The fee of payouts of ${id} is from now on: ${[parts.join(" + "), ...bounds].filter(Boolean).join(", ") || "none"}.`);
}
