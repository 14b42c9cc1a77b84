import { formatMoney, money, toMinorUnits } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";
import { decide, resolveBlock, setFeeRule, settleByOperator } from "#services/cards/index.ts";
import { setRate as storeRate, toRate, toRateNumber } from "#services/exchange/index.ts";
import { bindProvider } from "#services/merchants/index.ts";
import { ISSUER_NAMES } from "#services/providers/index.ts";
import { Misuse, merchantNamed, reasonOf } from "./cli-misuse.ts";

type Options = Record<string, unknown>;

const LONGEST_VALIDITY_HOURS = 8_760;

/** A number as people write it on a command line. Throws `Misuse`. */
function numberOf(options: Options, name: string): number {
  const text = String(options[name] ?? "");
  if (text === "") throw new Misuse(`--${name} is missing.`);
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Misuse(`--${name} is a number, not below 0, like 1600.25.`);
  return Number(text);
}

function rateOf(options: Options, name: string): bigint {
  const rate = toRate(numberOf(options, name));
  if (rate === undefined) throw new Misuse(`--${name} is above zero and has at most four decimals.`);
  return rate;
}

function centsOf(options: Options, name: string): bigint {
  const cents = toMinorUnits(numberOf(options, name));
  if (cents === undefined) throw new Misuse(`--${name} is an amount in dollars with at most two decimals.`);
  return cents;
}

export async function setRate(merchant: string, options: Options): Promise<void> {
  const { id } = await merchantNamed(merchant);
  const [buy, mid, sell] = [rateOf(options, "buy"), rateOf(options, "mid"), rateOf(options, "sell")];
  if (buy > mid || mid > sell) throw new Misuse("--buy is at most --mid, and --mid at most --sell.");
  const hours = numberOf(options, "valid-hours");
  if (hours <= 0 || hours > LONGEST_VALIDITY_HOURS) throw new Misuse(`--valid-hours is above 0, at most ${LONGEST_VALIDITY_HOURS}.`);
  const validUntil = new Date(Date.now() + hours * HOUR_MS);
  await storeRate(id, { buy, mid, sell, validUntil });
  const shown = [buy, mid, sell].map(toRateNumber).join(" / ");
  console.log(`${id}: buy / mid / sell ${shown} Naira for a dollar, until ${validUntil.toISOString()}.`);
}

const FEE_OPTIONS = ["flat", "percent", "minimum", "maximum"];
const withoutUndefined = (options: Options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

export async function setFee(merchant: string, kind: string, options: Options): Promise<void> {
  const { id } = await merchantNamed(merchant);
  if (kind !== "fund" && kind !== "issue") throw new Misuse("KIND is fund or issue.");
  if (FEE_OPTIONS.every((name) => options[name] === undefined))
    throw new Misuse(`Say what the fee is; for none: --flat 0. Options: --${FEE_OPTIONS.join(", --")}.`);
  const given = { ...Object.fromEntries(FEE_OPTIONS.slice(0, 3).map((name) => [name, "0"])), ...withoutUndefined(options) };
  // Two decimals of a percent are basis points.
  const bps = Number(toMinorUnits(numberOf(given, "percent")) ?? Number.NaN);
  if (!(bps <= 10_000)) throw new Misuse("--percent is 0 to 100, with at most two decimals.");
  const maximum = options.maximum === undefined ? null : centsOf(options, "maximum");
  const minimum = centsOf(given, "minimum");
  if (maximum !== null && maximum < minimum) throw new Misuse("--maximum is at least --minimum.");
  const flat = centsOf(given, "flat");
  await setFeeRule(id, kind, { flat, bps, minimum, maximum });
  const usd = (cents: bigint) => formatMoney(money(cents, "USD"));
  const most = maximum === null ? "no maximum" : `at most ${usd(maximum)}`;
  console.log(`${id}: to ${kind} costs ${usd(flat)} and ${bps / 100}%, at least ${usd(minimum)}, ${most}.`);
}

export async function setIssuer(merchant: string, issuer: string): Promise<void> {
  const { id, mode } = await merchantNamed(merchant);
  if (mode === "live") throw new Misuse("There is no issuer for live mode yet.");
  if (!ISSUER_NAMES.includes(issuer)) throw new Misuse(`ISSUER is one of ${ISSUER_NAMES.join(", ")}.`);
  await bindProvider(id, "issuer", issuer);
  console.log(`New cardholders of ${id} are known to ${issuer}, and their cards are made there.`);
}

export async function decideKyc(
  merchant: string,
  cardholder: string,
  verdict: string,
  reason = "The identity was not accepted.",
): Promise<void> {
  const { id: merchantId } = await merchantNamed(merchant);
  if (!/^\d{1,15}$/.test(cardholder)) throw new Misuse("CARDHOLDER is a number.");
  if (verdict !== "approve" && verdict !== "reject") throw new Misuse("Say approve or reject.");
  const decision = verdict === "approve" ? ({ status: "APPROVED" } as const) : ({ status: "REJECTED", reason } as const);
  if (!(await decide({ merchantId, id: Number(cardholder) }, decision))) {
    throw new Misuse(`Cardholder ${cardholder} of ${merchantId} does not exist, or is decided already.`);
  }
  const warning = verdict === "approve" ? " The issuer has not approved this person, and may refuse to make cards." : "";
  console.log(`Cardholder ${cardholder} is ${decision.status}.${warning}`);
}

export async function attendTo(verb: string, subject: string, options: Options & { reason?: string | undefined }): Promise<void> {
  const reason = reasonOf(options.reason);
  if (verb === "resolve") {
    if (!(await resolveBlock(subject, reason))) throw new Misuse(`There is no blocked card ${subject}.`);
    console.log(`Money moves on ${subject} again.`);
  } else if (verb === "settle") {
    const taken = options.taken === undefined ? null : money(centsOf(options, "taken"), "USD");
    if (!(await settleByOperator(subject, taken, reason))) {
      throw new Misuse(`${subject} is no operation that is processing, or --taken is not above zero and at most what was to be unloaded.`);
    }
    console.log(`${subject} is settled: ${taken ? formatMoney(taken) : "it was not done"}.`);
  } else throw new Misuse("Say cards resolve CARD --reason TEXT, or cards settle OPERATION [--taken USD] --reason TEXT.");
}
