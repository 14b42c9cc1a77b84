import { type Money, money } from "#lib/money.ts";
import { invalid } from "#lib/problem.ts";

/** A fee: `flat` plus `bps` basis points of the amount, at least `minimum`, at most `maximum`. In minor units of the amount's currency. */
export interface FeeRule extends Record<string, unknown> {
  flat: bigint;
  bps: number;
  minimum: bigint;
  maximum: bigint | null;
}

export const FREE: FeeRule = { flat: 0n, bps: 0, minimum: 0n, maximum: null };
const BPS = 10_000n;
const MAX_BPS = 10_000;

/** Returns the fee of an amount, each fraction of a minor unit rounded up. */
export function feeOf({ minor, currency }: Money, { flat, bps, minimum, maximum }: FeeRule): Money {
  const fee = flat + (minor * BigInt(bps) + BPS - 1n) / BPS;
  const atLeast = fee < minimum ? minimum : fee;
  return money(maximum !== null && atLeast > maximum ? maximum : atLeast, currency);
}

/** Throws VALIDATION_ERROR for basis points outside 0 to 10,000, a negative fee, or a maximum below the minimum. */
export function requireFeeRule({ flat, bps, minimum, maximum }: FeeRule): void {
  if (!Number.isInteger(bps) || bps < 0 || bps > MAX_BPS)
    throw invalid("percent", "The percentage is 0 to 100, with at most two decimals.");
  if (flat < 0n || minimum < 0n) throw invalid("flat", "Fees are not below zero.");
  if (maximum !== null && maximum < minimum) throw invalid("maximum", "The maximum is at least the minimum.");
}

/** Returns a rule as the audit stores it. */
export const figuresOfFee = ({ flat, bps, minimum, maximum }: FeeRule) => ({
  ...{ flat: String(flat), bps: String(bps), minimum: String(minimum) },
  maximum: maximum === null ? null : String(maximum),
});
