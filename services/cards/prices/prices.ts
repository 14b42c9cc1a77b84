import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { formatMoney, type Money, money } from "#lib/money.ts";
import { Problem } from "#lib/problem.ts";
import type { Merchant } from "../../context.ts";
import { currentRate, toNairaDown, toNairaUp, toRateNumber } from "../../exchange/index.ts";

/** The price of dollars that move between a wallet and a card, at one reading of the merchant's rate and fee. */
export interface Price {
  /** US dollars put on the card, or taken off it. */
  amount: Money;
  /** US dollars. */
  fee: Money;
  /** US dollars: amount and fee. */
  total: Money;
  /** Naira for a dollar, in ten-thousandths. */
  exchangeRate: bigint;
  midRate: bigint;
  /** Naira charged to the wallet, or credited to it. */
  walletAmount: Money;
  /** The end of the rate's validity. A newer rate or fee may apply before. */
  validUntil: Date;
}

type Payer = Pick<Merchant, "id" | "mode">;

/** Returns the price of funding a card now: (amount + fee) × rate, rounded up to the kobo. Throws PROVIDER_UNAVAILABLE (no valid rate). */
export async function priceOfFunding(tx: Tx | Database, merchant: Payer, amount: Money): Promise<Price> {
  const { sell: exchangeRate, mid: midRate, validUntil } = await currentRate(tx, merchant);
  const fee = feeOf(amount, await feeRuleFor(tx, merchant, "fund"));
  const total = money(amount.minor + fee.minor, "USD");
  return { amount, fee, total, exchangeRate, midRate, walletAmount: toNairaUp(total, exchangeRate), validUntil };
}

/** Returns the price of unloading a card now: amount × rate, rounded down to the kobo. Throws PROVIDER_UNAVAILABLE (no valid rate). */
export async function priceOfUnload(tx: Tx | Database, merchant: Payer, amount: Money): Promise<Price> {
  const { buy: exchangeRate, mid: midRate, validUntil } = await currentRate(tx, merchant);
  const fee = money(0n, "USD");
  return { amount, fee, total: amount, exchangeRate, midRate, walletAmount: toNairaDown(amount, exchangeRate), validUntil };
}

/** Returns the columns of an operation that store its price. */
export const columnsOf = ({ amount, fee, exchangeRate, midRate, walletAmount }: Price) => ({
  ...{ amount: amount.minor, fee: fee.minor, exchangeRate, midRate },
  walletAmount: walletAmount.minor,
});

/** The most that a merchant pays for a funding. An absent limit refuses nothing. */
export interface FundingLimits {
  /** Naira for a dollar, in ten-thousandths. */
  maxExchangeRate?: bigint | undefined;
  /** Naira: the whole charge, with the fee. */
  maxWalletAmount?: Money | undefined;
}

/** Throws PRICE_CHANGED, with the present price, if a funding costs more than the merchant allows. */
export function refuseAbove(price: Price, { maxExchangeRate, maxWalletAmount }: FundingLimits): void {
  const { amount, fee, walletAmount, exchangeRate } = price;
  const present = `This costs ${formatMoney(walletAmount)} now: ${formatMoney(amount)} and a fee of ${formatMoney(fee)}, at ${perDollar(exchangeRate)}.`;
  if (maxExchangeRate !== undefined && exchangeRate > maxExchangeRate) {
    throw new Problem("PRICE_CHANGED", `${present} The rate is above your max_exchange_rate. ${ADVICE}`);
  }
  if (maxWalletAmount !== undefined && walletAmount.minor > maxWalletAmount.minor) {
    throw new Problem("PRICE_CHANGED", `${present} That is above your max_wallet_amount. ${ADVICE}`);
  }
}

/** The least for which a merchant unloads a card. An absent limit refuses nothing. */
export interface UnloadLimits {
  /** Naira for a dollar, in ten-thousandths. */
  minExchangeRate?: bigint | undefined;
}

/** Throws PRICE_CHANGED, with the present price, if an unload brings less than the merchant allows. */
export function refuseBelow({ walletAmount, exchangeRate }: Price, { minExchangeRate }: UnloadLimits): void {
  if (minExchangeRate === undefined || exchangeRate >= minExchangeRate) return;
  const present = `This brings ${formatMoney(walletAmount)} now, at ${perDollar(exchangeRate)}.`;
  throw new Problem("PRICE_CHANGED", `${present} The rate is below your min_exchange_rate. ${ADVICE}`);
}

const ADVICE = "Send another limit if that suits you.";
const perDollar = (rate: bigint) => `${toRateNumber(rate)} Naira for a dollar`;

/** `flat`, `minimum` and `maximum` are US cents; `bps` are basis points of the amount. */
export interface FeeRule extends Record<string, unknown> {
  flat: bigint;
  bps: number;
  minimum: bigint;
  maximum: bigint | null;
}

export type FeeKind = "issue" | "fund";

const FREE: FeeRule = { flat: 0n, bps: 0, minimum: 0n, maximum: null };
const BPS = 10_000n;

/** The source of a fee: set for this merchant, set for all merchants of the mode, or not set, so that it is free. */
export type FeeSource = "own" | "platform" | "none";

/** Returns the merchant's own rule, else the platform's rule for the merchant's mode, else a rule without a fee. */
export const feeRuleFor = async (tx: Tx | Database, merchant: Pick<Merchant, "id" | "mode">, kind: FeeKind): Promise<FeeRule> =>
  (await findFeeRule(tx, merchant, kind)).rule;

/** As `feeRuleFor`, with the source of the rule. */
export async function findFeeRule(
  tx: Tx | Database,
  { id, mode }: Pick<Merchant, "id" | "mode">,
  kind: FeeKind,
): Promise<{ rule: FeeRule; source: FeeSource }> {
  const [found] = await tx.execute<FeeRule & { is_own: boolean }>(sql`
    select flat, bps, minimum, maximum, merchant_id = ${id} as is_own from card_fees
    where merchant_id in (${id}, ${`mer_platform_${mode}`}) and kind = ${kind} order by (merchant_id = ${id}) desc limit 1`);
  if (!found) return { rule: FREE, source: "none" };
  const { is_own: isOwn, ...rule } = found;
  return { rule, source: isOwn ? "own" : "platform" };
}

/** Returns the fee of an amount in US dollars, each fraction of a cent rounded up. */
export function feeOf({ minor }: Money, { flat, bps, minimum, maximum }: FeeRule): Money {
  const fee = flat + (minor * BigInt(bps) + BPS - 1n) / BPS;
  const atLeast = fee < minimum ? minimum : fee;
  return money(maximum !== null && atLeast > maximum ? maximum : atLeast, "USD");
}
