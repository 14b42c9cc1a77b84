import { type Currency, formatMoney } from "#lib/money.ts";

interface AmountProps {
  /** Minor units, also as a string: JSON has no bigint. */
  minor: bigint | string;
  currency: Currency;
  /** For lists of money in and out: a credit carries a plus. */
  signed?: boolean | undefined;
}

/** An amount of money: figures of one width, minor units muted, U+2212 as minus. Its place (right, large) is its parent's choice. */
export function Amount({ minor, currency, signed = false }: AmountProps) {
  const { sign, whole, decimals } = partsOf({ minor, currency, signed });
  return (
    <span className="whitespace-nowrap tabular-nums">
      {sign}
      {whole}
      <small className="text-[0.85em] text-muted">{decimals}</small>
    </span>
  );
}

/** Returns the sign (`+`, U+2212 or nothing), the major units with their symbol, and the decimals with their point. */
export function partsOf({ minor, currency, signed = false }: AmountProps): { sign: string; whole: string; decimals: string } {
  const value = BigInt(minor);
  const text = formatMoney({ minor: value < 0n ? -value : value, currency });
  const point = text.lastIndexOf(".");
  const plus = signed && value > 0n ? "+" : "";
  return { sign: value < 0n ? "\u2212" : plus, whole: text.slice(0, point), decimals: text.slice(point) };
}
