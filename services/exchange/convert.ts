import { type Money, money } from "#lib/money.ts";

/** Rates are Naira for a dollar, in ten-thousandths: 1,600.25 is 16,002,500n. */
const RATE_SCALE = 10_000n;

/** Kobo for cents at a rate, rounded up: what a merchant pays. */
export function toNairaUp({ minor }: Money, rate: bigint): Money {
  return money((minor * rate + RATE_SCALE - 1n) / RATE_SCALE, "NGN");
}

/** Kobo for cents at a rate, rounded down: what a merchant gets. */
export function toNairaDown({ minor }: Money, rate: bigint): Money {
  return money((minor * rate) / RATE_SCALE, "NGN");
}

const AT_MOST_FOUR_DECIMALS = /^(\d{1,9})(?:\.(\d{1,4}))?$/;

/** A rate as it is kept, or undefined when it is not a positive number with at most four decimals. Never rounds. */
export function toRate(number: number): bigint | undefined {
  const match = AT_MOST_FOUR_DECIMALS.exec(String(number));
  if (!match?.[1]) return undefined;
  const rate = BigInt(match[1]) * RATE_SCALE + BigInt((match[2] ?? "").padEnd(4, "0"));
  return rate > 0n ? rate : undefined;
}

/** The JSON number of the API, exact: a rate has at most 13 digits. */
export const toRateNumber = (rate: bigint): number => Number(rate) / Number(RATE_SCALE);
