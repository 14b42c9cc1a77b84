import { type Money, money } from "#lib/money.ts";

/** A rate is Naira for a dollar in ten-thousandths: 1,600.25 is 16,002,500n. */
const RATE_SCALE = 10_000n;

/** Returns the kobo for cents at a rate, rounded up: for money that a merchant pays. */
export function toNairaUp({ minor }: Money, rate: bigint): Money {
  return money((minor * rate + RATE_SCALE - 1n) / RATE_SCALE, "NGN");
}

/** Returns the kobo for cents at a rate, rounded down: for money that a merchant gets. */
export function toNairaDown({ minor }: Money, rate: bigint): Money {
  return money((minor * rate) / RATE_SCALE, "NGN");
}

const AT_MOST_FOUR_DECIMALS = /^(\d{1,9})(?:\.(\d{1,4}))?$/;

/**
 * Returns a rate in ten-thousandths, or undefined where the number is not positive, has more than four decimals or more than nine digits
 * before them. Never rounds.
 */
export function toRate(number: number): bigint | undefined {
  const match = AT_MOST_FOUR_DECIMALS.exec(String(number));
  if (!match?.[1]) return undefined;
  const rate = BigInt(match[1]) * RATE_SCALE + BigInt((match[2] ?? "").padEnd(4, "0"));
  return rate > 0n ? rate : undefined;
}

/** Returns the API's JSON number of a rate. It is exact, because a rate has at most 13 digits. */
export const toRateNumber = (rate: bigint): number => Number(rate) / Number(RATE_SCALE);
