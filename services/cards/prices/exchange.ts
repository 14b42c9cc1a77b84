import type { Tx } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import { lastRate, toNairaDown, toNairaUp } from "../../exchange/index.ts";
import type { Transfer } from "../../ledger/index.ts";
import { modeOf } from "../../providers/index.ts";
import type { CardRow } from "../card.ts";
import { cardToWallet, walletToCard } from "../operations/journal.ts";

const usd = (minor: bigint) => money(minor, "USD");

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

type Exchange = Parameters<typeof cardToWallet>[2];

/** Returns the transfers that exchange dollars of a card for Naira in the wallet, or, below zero, Naira for dollars. */
export const exchanged = (card: CardRow, { minor }: Money, exchange: Exchange): Transfer[] =>
  minor > 0n ? cardToWallet(card, usd(minor), exchange) : walletToCard(card, usd(-minor), exchange);
