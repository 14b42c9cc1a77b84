import type { Command } from "commander";
import { formatMoney, money, toMinorUnits } from "#lib/money.ts";
import { decideKyc, resolveBlock, setFeeRule, stopRechecks } from "#services/cards/index.ts";
import { setRate, toRateNumber } from "#services/exchange/index.ts";
import { Misuse, merchantNamed, operator } from "./context.ts";
import { type Named, proposeAs, withName } from "./named.ts";
import { REASON, toCents, toNumber, toRateOption, toTime } from "./options.ts";

export function addCardCommands(program: Command): void {
  program
    .command("set-rate <merchant>")
    .description(
      "Sets the price of a dollar in Naira, for cards. Once it has expired, the rate before it applies again if that one is still valid. For the default of a mode, name mer_platform_test or mer_platform_live.",
    )
    .requiredOption("--buy <naira>", "at which we buy dollars", toRateOption)
    .requiredOption("--mid <naira>", "from which the spread is counted", toRateOption)
    .requiredOption("--sell <naira>", "at which we sell dollars", toRateOption)
    .option("--valid-hours <hours>", "how long it is valid", toNumber, 24)
    .option("--from <time>", "when it begins, like 2026-12-01T08:00+01:00; by default now", toTime)
    .option("--as <email>", "the operator that you are: proposes the rate, for one that is far off the last")
    .option("--code <code>", "that your authenticator app shows")
    .option("--reason <text>", "of a proposal")
    .action(rate);
  program
    .command("set-fee <merchant> <kind>")
    .description("Sets the fee of a kind: fund or issue. A part that is not given is none. The merchant is named as for set-rate.")
    .option("--flat <usd>", "a fixed part", toCents)
    .option("--percent <number>", "of the amount", toNumber)
    .option("--minimum <usd>", "the lowest fee", toCents)
    .option("--maximum <usd>", "the highest fee", toCents)
    .option("--from <time>", "when it begins, like 2026-12-01T08:00+01:00; by default now", toTime)
    .action(fee);
  program
    .command("decide-kyc <merchant> <cardholder> <verdict>")
    .description("Decides where the issuer has not: approve or reject. The issuer may still refuse to make cards.")
    .option("--reason <text>", "of a rejection", "The identity was not accepted.")
    .action(decide);
  const cards = program.command("cards").description("Resolves blocked cards, and settles operations that no issuer decides.");
  cards
    .command("resolve <card>")
    .description("Lets money move again on a card that was blocked, because its issuer contradicted itself.")
    .requiredOption(...REASON)
    .action(resolve);
  withName(cards.command("settle <operation>"))
    .description(
      "Proposes how an operation ends that its issuer never decides, or an unload that failed here although it took dollars. Without --taken, the issuer did not do it.",
    )
    .option("--taken <usd>", "US dollars that an unload took", toCents)
    .requiredOption(...REASON)
    .action(settle);
  cards
    .command("stop-rechecks <operation>")
    .description("Ends the re-checks of an operation that failed: its issuer will never do it.")
    .requiredOption(...REASON)
    .action(stop);
}

interface RateOptions {
  buy: bigint;
  mid: bigint;
  sell: bigint;
  from?: Date;
  validHours: number;
  as?: string;
  code?: string;
  reason?: string;
}

async function rate(name: string, { validHours: validForHours, as, code, reason, from, ...rates }: RateOptions): Promise<void> {
  const { merchant } = await merchantNamed(name);
  if (as !== undefined) {
    if (code === undefined || reason === undefined) throw new Misuse("A proposal needs --code and --reason too.");
    const [buy, mid, sell] = [toRateNumber(rates.buy), toRateNumber(rates.mid), toRateNumber(rates.sell)];
    const payload = { merchant: merchant.id, buy, mid, sell, valid_hours: validForHours, from: from?.toISOString() ?? null };
    return proposeAs({ as, code }, { kind: "rate.set", payload, reason });
  }
  const { buy, mid, sell, validUntil } = await setRate(operator, merchant.id, { ...rates, validForHours, from });
  const shown = [buy, mid, sell].map(toRateNumber).join(" / ");
  console.log(
    `${merchant.id}: buy / mid / sell ${shown} Naira for a dollar, from ${from?.toISOString() ?? "now"} until ${validUntil.toISOString()}.`,
  );
}

interface FeeOptions {
  flat?: bigint;
  percent?: number;
  minimum?: bigint;
  maximum?: bigint;
  from?: Date;
}

async function fee(name: string, kind: string, { from, ...options }: FeeOptions): Promise<void> {
  const { merchant } = await merchantNamed(name);
  if (kind !== "fund" && kind !== "issue") throw new Misuse("KIND is fund or issue.");
  if (Object.keys(options).length === 0) throw new Misuse("Give at least one part of the fee. For no fee: --flat 0.");
  const { flat = 0n, percent = 0, minimum = 0n, maximum = null } = options;
  // Two decimals of a percent are basis points.
  const bps = Number(toMinorUnits(percent) ?? Number.NaN);
  await setFeeRule(operator, merchant.id, kind, { flat, bps, minimum, maximum }, from ?? null);
  const usd = (cents: bigint) => formatMoney(money(cents, "USD"));
  const most = maximum === null ? "no maximum" : `at most ${usd(maximum)}`;
  console.log(
    `${merchant.id}: the fee to ${kind} is ${usd(flat)} plus ${bps / 100}%, at least ${usd(minimum)}, ${most}${from ? `, from ${from.toISOString()} on` : ""}.`,
  );
}

async function decide(name: string, cardholder: string, verdict: string, { reason }: { reason: string }): Promise<void> {
  const { merchant } = await merchantNamed(name);
  if (!/^\d{1,15}$/.test(cardholder)) throw new Misuse("CARDHOLDER is a number.");
  if (verdict !== "approve" && verdict !== "reject") throw new Misuse("Say approve or reject.");
  const decision = verdict === "approve" ? ({ status: "APPROVED" } as const) : ({ status: "REJECTED", reason } as const);
  if (!(await decideKyc(operator, { merchantId: merchant.id, id: Number(cardholder) }, decision))) {
    throw new Misuse(`Cardholder ${cardholder} of ${merchant.id} does not exist, or is decided already.`);
  }
  const warning = verdict === "approve" ? " The issuer has not approved this person, and may refuse to make cards." : "";
  console.log(`Cardholder ${cardholder} is ${decision.status}.${warning}`);
}

async function resolve(card: string, { reason }: { reason: string }): Promise<void> {
  if (!(await resolveBlock(operator, card, reason))) throw new Misuse(`There is no blocked card ${card}.`);
  console.log(`Money moves on ${card} again.`);
}

function settle(operation: string, { taken, reason, ...named }: Named & { taken?: bigint; reason: string }): Promise<void> {
  const payload = { operation, taken_cents: taken === undefined ? null : String(taken) };
  return proposeAs(named, { kind: "card_operation.settle", payload, reason });
}

async function stop(operation: string, { reason }: { reason: string }): Promise<void> {
  if (!(await stopRechecks(operator, operation, reason))) throw new Misuse(`${operation} has no re-check to end.`);
  console.log(`${operation} is not re-checked any more.`);
}
