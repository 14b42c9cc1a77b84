import { dollars, type Money, money } from "#lib/money.ts";

// The platform's prices in test mode, from db/migrations/0001_types_triggers_rows.sql. A rate of Naira for a dollar is also kobo for a cent.

export const FUND_RATE = 1_600n;
export const MID_RATE = 1_550n;
export const UNLOAD_RATE = 1_500n;
/** Stored rates are in ten-thousandths of a Naira. */
export const RATE_SCALE = 10_000n;
const FUNDING_FEE_PERCENT = 1n;
const MIN_FUNDING_FEE_CENTS = 100n;

/** Returns the US dollars that the platform takes for putting `amount` dollars on a card. */
export function fundingFee(amount: number): Money {
  const cents = (dollars(amount).minor * FUNDING_FEE_PERCENT + 99n) / 100n;
  return money(cents < MIN_FUNDING_FEE_CENTS ? MIN_FUNDING_FEE_CENTS : cents, "USD");
}

/** Returns the Naira that the wallet pays to put `amount` dollars on a card: amount and fee, at the fund rate. */
export const fundingCost = (amount: number): Money => money((dollars(amount).minor + fundingFee(amount).minor) * FUND_RATE, "NGN");

/** Returns the most US dollars that a wallet can put on a card. Only for amounts from $100 on, where the fee is a percentage. */
export const mostToFund = (wallet: Money): Money => money(((wallet.minor / FUND_RATE) * 100n) / (100n + FUNDING_FEE_PERCENT), "USD");

/** Returns the Naira that the wallet gets for `amount` dollars that leave a card, at the unload rate. */
export const unloadWorth = (amount: number): Money => money(dollars(amount).minor * UNLOAD_RATE, "NGN");

/** Returns the Naira that the wallet pays for `amount` dollars that a terminated card lacks: the fund rate, without a fee. */
export const shortfallCost = (amount: number): Money => money(dollars(amount).minor * FUND_RATE, "NGN");

export const plus = (a: Money, b: Money): Money => money(a.minor + b.minor, a.currency);
export const minus = (a: Money, b: Money): Money => money(a.minor - b.minor, a.currency);

/** Returns an amount in Naira or US dollars, as the JSON of the API has it. */
export const major = ({ minor }: Money): number => Number(minor) / 100;
