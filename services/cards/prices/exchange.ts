import type { Tx } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import { type ExchangeRate, lastRate, toNairaDown, toNairaUp } from "../../exchange/index.ts";
import { cardAccount, FX_NGN, FX_USD, RECEIVABLE, REVENUE_SPREAD, type Transfer, WALLET, walletCredit } from "../../ledger/index.ts";
import { modeOf } from "../../providers/index.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";

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

export interface Price {
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
export async function priceOf(tx: Tx, { merchantId, provider }: CardRow, cents: bigint): Promise<Price> {
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
