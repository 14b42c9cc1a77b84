import { type Money, money } from "./money.ts";
import { typedText } from "./typed-text.ts";

/** An amount as people type and paste it: `₦5,000.00`, `NGN 5 000`, `5000`. */
const DECORATION = /^\s*(?:₦|NGN|N)|[,\s]/gi;
const DIGITS = /^(\d{1,13})(?:\.(\d{0,2}))?$/;

/** Returns the amount that a person typed in Naira, or undefined for text that is none or has more than two decimals. */
export function nairaTyped(text: string): Money | undefined {
  const match = DIGITS.exec(typedText(text).replaceAll(DECORATION, ""));
  if (!match?.[1]) return undefined;
  return money(BigInt(match[1] + (match[2] ?? "").padEnd(2, "0")), "NGN");
}
