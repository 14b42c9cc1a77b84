import { type Currency, formatMoney, money } from "#lib/money.ts";

/** A fee: `flat` plus `bps` basis points of the amount, at least `minimum`, at most `maximum`. In minor units. */
interface Fee {
  flat: bigint;
  bps: number;
  minimum: bigint;
  maximum: bigint | null;
}

const PERCENT = 100;

/** Returns a fee for people: `₦50.00 + 0.1 %, at most ₦500.00`, or `Free`. */
export function feeText({ flat, bps, minimum, maximum }: Fee, currency: Currency): string {
  const sum = (minor: bigint) => formatMoney(money(minor, currency));
  const parts = [...(flat > 0n ? [sum(flat)] : []), ...(bps > 0 ? [`${bps / PERCENT} %`] : [])];
  if (parts.length === 0 && minimum === 0n) return "Free";
  const bounds = [...(minimum > 0n ? [`at least ${sum(minimum)}`] : []), ...(maximum !== null ? [`at most ${sum(maximum)}`] : [])];
  return [parts.join(" + "), ...bounds].filter((part) => part !== "").join(", ");
}
