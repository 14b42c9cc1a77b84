import { formatMoney, type Money, money, toMinorUnits } from "#lib/money.ts";

const DOLLARS = /^\d{1,8}(?:\.\d{0,2})?$/;

/** Returns the US dollars that a person typed or pasted, `undefined` for what is no amount. `$1,250.5` is $1,250.50. */
export function typedDollars(text: string): Money | undefined {
  const plain = text.replaceAll(/[$,\s]/g, "");
  if (!DOLLARS.test(plain)) return undefined;
  const minor = toMinorUnits(Number(plain));
  return minor === undefined ? undefined : money(minor, "USD");
}

const textOf = (major: number, currency: Money["currency"]): string => formatMoney(money(BigInt(Math.round(major * 100)), currency));

/** Returns dollars of the API for people: `$50.00`. */
export const dollarsText = (major: number): string => textOf(major, "USD");

/** Returns Naira of the API for people: `₦81,600.00`. */
export const nairaText = (major: number): string => textOf(major, "NGN");

const RATE = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** Returns a rate for people: `1,600.00`. */
export const rateText = (rate: number): string => RATE.format(rate);

const LIMITS = { fund: { least: 100n, most: 1_000_000n }, unload: { least: 1n, most: 1_000_000_000n } } as const;

/** Returns why an amount cannot be moved, or undefined if it can. `balance` is the card's. */
export function obstacleTo(type: keyof typeof LIMITS, amount: Money, balance: Money): string | undefined {
  const { least, most } = LIMITS[type];
  if (amount.minor < least) return `Enter at least ${formatMoney(money(least, "USD"))}.`;
  if (amount.minor > most) return `Enter at most ${formatMoney(money(most, "USD"))}.`;
  if (type === "unload" && amount.minor > balance.minor) return `The card holds ${formatMoney(balance)}. Enter at most that.`;
  return undefined;
}
