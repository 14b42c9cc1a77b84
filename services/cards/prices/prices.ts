import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { formatMoney, type Money, money } from "#lib/money.ts";
import { Problem } from "#lib/problem.ts";
import type { Merchant } from "../../context.ts";
import { currentRate, type ExchangeRate, lastRate, toNairaDown, toNairaUp, toRateNumber } from "../../exchange/index.ts";
import { type FeeRule, FREE, feeOf } from "../../fee-rule.ts";
import { cardAccount, FX_NGN, FX_USD, RECEIVABLE, REVENUE_SPREAD, type Transfer, WALLET, walletCredit } from "../../ledger/index.ts";
import { modeOf } from "../../providers/index.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";

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

export type FeeKind = "issue" | "fund";

/** The source of a fee: set for this merchant, set for all merchants of the mode, or not set, so that it is free. */
export type FeeSource = "own" | "platform" | "none";

/** Returns the rule that applies now: the merchant's own, else the platform's rule for the merchant's mode, else a rule without a fee. */
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
    where merchant_id in (${id}, ${`mer_platform_${mode}`}) and kind = ${kind} and valid_from <= clock_timestamp()
    order by (merchant_id = ${id}) desc, valid_from desc limit 1`);
  if (!found) return { rule: FREE, source: "none" };
  const { is_own: isOwn, ...rule } = found;
  return { rule, source: isOwn ? "own" : "platform" };
}

// Every exchange has a leg in Naira (against fx:ngn), a leg in dollars (against fx:usd), and the spread: the difference between the Naira
// that the merchant paid or got and the same dollars at the middle rate. The balance of fx:ngn equals that of fx:usd at the middle rate.

type Rates = Pick<ExchangeRate, "mid"> & { rate: bigint };

interface Exchange {
  /** The prefix of the transfers' keys. */
  key: string;
  rates: Rates;
  meta: Record<string, string>;
}

const usd = (minor: bigint) => money(minor, "USD");
const ngn = (minor: bigint) => money(minor, "NGN");
/** Returns no transfer for an amount of zero: the ledger refuses one. */
export const positive = (transfer: Transfer & { amount: Money }): Transfer[] => (transfer.amount.minor > 0n ? [transfer] : []);

export interface ExchangePrice {
  /** US dollars that leave the card for the wallet; below zero, the dollars that the wallet pays. */
  credited: Money;
  rate: bigint;
  mid: bigint;
  walletAmount: bigint;
}

/**
 * Returns the price of US cents that leave a card for the wallet: at the unload rate, or, below zero, at the fund rate that the wallet
 * pays.
 */
export async function priceOf(tx: Tx, { merchantId, provider }: CardRow, cents: bigint): Promise<ExchangePrice> {
  const { buy, mid, sell } = await lastRate(tx, { id: merchantId, mode: modeOf(provider) });
  return cents > 0n
    ? { credited: usd(cents), rate: buy, mid, walletAmount: toNairaDown(usd(cents), buy).minor }
    : { credited: usd(cents), rate: sell, mid, walletAmount: toNairaUp(usd(-cents), sell).minor };
}

/** Returns the transfers that exchange dollars of a card for Naira in the wallet, or, below zero, Naira for dollars. */
export const exchanged = (card: CardRow, { minor }: Money, exchange: Exchange): Transfer[] =>
  minor > 0n ? cardToWallet(card, usd(minor), exchange) : walletToCard(card, usd(-minor), exchange);

/** Returns the transfers that move dollars off a card and credit their worth to the wallet. */
export function cardToWallet(card: { id: string }, amount: Money, exchange: Exchange): Transfer[] {
  const { key, meta } = exchange;
  return [
    ...positive({ kind: "post", key: `${key}:card`, debit: cardAccount(card.id), credit: FX_USD, amount, meta }),
    ...worthToWallet(amount, exchange),
  ];
}

/** Returns the transfers that credit the wallet with the worth of dollars. The caller moves the dollars to `fx:usd`. */
export function worthToWallet(dollars: Money, { key, rates, meta }: Exchange): Transfer[] {
  const worth = toNairaDown(dollars, rates.rate);
  return [
    ...spreadOf({ key, meta }, toNairaDown(dollars, rates.mid).minor - worth.minor),
    ...(worth.minor > 0n ? [walletCredit({ key: `${key}:wallet`, from: FX_NGN, amount: worth, meta })] : []),
  ];
}

/** Returns the linked transfers that pay an ended card's missing dollars from the wallet. A shortfall becomes a debt of the merchant. */
export function walletToCard(card: { id: string }, amount: Money, { key, rates, meta }: Exchange): Transfer[] {
  const price = toNairaUp(amount, rates.rate);
  return chain([
    ...positive({ kind: "post", key: `${key}:wallet`, debit: WALLET, credit: FX_NGN, amount: price, overflow: RECEIVABLE, meta }),
    ...spreadOf({ key, meta }, price.minor - toNairaDown(amount, rates.mid).minor),
    ...positive({ kind: "post", key: `${key}:card`, debit: FX_USD, credit: cardAccount(card.id), amount, meta }),
  ]);
}

/** Returns the rates of an operation. Throws where it has none. */
export function ratesOf({ id, exchangeRate, midRate }: OperationRow): Rates {
  if (exchangeRate === null || midRate === null) throw new Error(`operation ${id} has no rate`);
  return { rate: exchangeRate, mid: midRate };
}

/** The part of a price above the middle rate is our revenue. If an exchange is undone at the merchant's own rate, we give it back. */
export function spreadOf({ key, meta }: Pick<Exchange, "key" | "meta">, minor: bigint): Transfer[] {
  const [debit, credit] = minor > 0n ? [FX_NGN, REVENUE_SPREAD] : [REVENUE_SPREAD, FX_NGN];
  return positive({ kind: "post", key: `${key}:spread`, debit, credit, amount: ngn(minor > 0n ? minor : -minor), meta });
}

/** Links transfers, so that the ledger posts all of them or none. */
export const chain = (transfers: Transfer[]): Transfer[] =>
  transfers.map((transfer, i) => ({ ...transfer, linked: i < transfers.length - 1 }));
