/** Money is a whole number of minor units (kobo, cents) and a currency. Major units exist only at the edges. */
export type Currency = "NGN" | "USD";

export interface Money {
  /** Minor units: kobo for NGN, cents for USD. */
  readonly minor: bigint;
  readonly currency: Currency;
}

const MINOR_UNITS_PER_MAJOR = 100n;
const AT_MOST_TWO_DECIMALS = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

export function money(minor: bigint, currency: Currency): Money {
  return { minor, currency };
}

/** Returns Naira: `naira(5_000)` is ₦5,000.00. Throws a RangeError if `toMinorUnits` returns undefined. */
export function naira(major: number): Money {
  const minor = toMinorUnits(major);
  if (minor === undefined) throw new RangeError(`not an amount of Naira: ${major}`);
  return { minor, currency: "NGN" };
}

/** Returns US dollars: `dollars(20)` is $20.00. Throws a RangeError if `toMinorUnits` returns undefined. */
export function dollars(major: number): Money {
  const minor = toMinorUnits(major);
  if (minor === undefined) throw new RangeError(`not an amount of US dollars: ${major}`);
  return { minor, currency: "USD" };
}

/**
 * Returns the minor units of a number of major units. Never rounds: returns undefined for more than two decimals, and for a number that is
 * negative, not finite or too large to be exact.
 */
export function toMinorUnits(major: number): bigint | undefined {
  // String() gives the shortest decimal that reads back as this number, as the caller wrote it. 1e21 and NaN do not match.
  const match = AT_MOST_TWO_DECIMALS.exec(String(major));
  if (!match?.[1]) return undefined;
  return BigInt(match[1]) * MINOR_UNITS_PER_MAJOR + BigInt((match[2] ?? "").padEnd(2, "0"));
}

/** From ₦10 trillion (in kobo) on, a double cannot represent two decimals exactly. */
const TOO_LARGE_FOR_JSON = 10n ** 15n;

/** Returns the exact number of major units for the API's JSON. Throws a RangeError from ₦10 trillion on. */
export function toMajorNumber({ minor }: Money): number {
  if (minor >= TOO_LARGE_FOR_JSON || minor <= -TOO_LARGE_FOR_JSON) throw new RangeError("amount is too large for a JSON number");
  return Number(minor) / 100;
}

/** Returns digits with two decimals and no separators (`1500.00`), as a payer copies them into a bank's app. */
export function toPlainDigits({ minor }: Money): string {
  const sign = minor < 0n ? "-" : "";
  const absolute = minor < 0n ? -minor : minor;
  return `${sign}${absolute / MINOR_UNITS_PER_MAJOR}.${String(absolute % MINOR_UNITS_PER_MAJOR).padStart(2, "0")}`;
}

const SYMBOLS: Record<Currency, string> = { NGN: "₦", USD: "$" };

/** Returns an amount for people to read: `₦1,500.00`. */
export function formatMoney(value: Money): string {
  const digits = toPlainDigits(value);
  const [whole = "0", decimals = "00"] = digits.replace("-", "").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${digits.startsWith("-") ? "-" : ""}${SYMBOLS[value.currency]}${grouped}.${decimals}`;
}
