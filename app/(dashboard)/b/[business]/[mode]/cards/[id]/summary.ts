import { formatMoney, type Money, money } from "#lib/money.ts";
import { dollarsText, nairaText, rateText } from "../amounts.ts";
import type { Operation } from "./use-money.ts";
import type { Quote } from "./use-quote.ts";

const kobo = (major: number): bigint => BigInt(Math.round(major * 100));

/** Returns the lines of a summary, each with its earlier value if the price has changed. */
export function linesOf(quote: Quote, before: Quote | undefined, available: Money) {
  const line = (label: string, of: (quote: Quote) => string) => {
    const value = of(quote);
    const was = before && of(before);
    return { label, value, ...(was !== undefined && was !== value && { was }) };
  };
  const rate = line("Rate", ({ exchange_rate }) => `₦${rateText(exchange_rate)} for $1`);
  if (quote.type === "fund") {
    return [
      line("You pay", ({ wallet_amount }) => nairaText(wallet_amount)),
      line("Card gets", ({ amount }) => dollarsText(amount)),
      line("Fee", ({ fee }) => dollarsText(fee)),
      rate,
      { label: "Wallet after", value: formatMoney(money(available.minor - kobo(quote.wallet_amount), "NGN")) },
    ];
  }
  return [
    line("You get", ({ wallet_amount }) => nairaText(wallet_amount)),
    line("Leaves the card", ({ amount }) => dollarsText(amount)),
    rate,
    { label: "Wallet after", value: formatMoney(money(available.minor + kobo(quote.wallet_amount), "NGN")) },
  ];
}

/** Returns the Naira that a wallet lacks for a quote, or undefined if it covers it. */
export function lackOf(quote: Quote, available: Money): string | undefined {
  const lack = kobo(quote.wallet_amount) - available.minor;
  return quote.type === "fund" && lack > 0n ? formatMoney(money(lack, "NGN")) : undefined;
}

/** Returns the final amounts of an operation in words, compared to the Naira that the page showed (`shown`, undefined after a reload). */
export function resultOf({ type, amount, wallet_amount, exchange_rate }: Operation, shown: number | undefined): string {
  const naira = nairaText(wallet_amount);
  const at = exchange_rate === null ? "" : ` at ₦${rateText(exchange_rate)} for $1`;
  const less = shown === undefined ? 0n : kobo(shown) - kobo(wallet_amount);
  const difference = formatMoney(money(less < 0n ? -less : less, "NGN"));
  if (type === "fund") {
    if (less > 0n)
      return `The card got ${dollarsText(amount)}. ${naira} was charged: ${difference} less than shown, because the price fell.`;
    return `The card got ${dollarsText(amount)}. ${naira} was charged${shown === undefined ? at : ", as shown"}.`;
  }
  if (less < 0n) return `Your wallet got ${naira} for ${dollarsText(amount)}: ${difference} more than shown, because the rate rose.`;
  // An issuer may keep a part of what was asked for.
  if (less > 0n) return `Your wallet got ${naira} for the ${dollarsText(amount)} that the card's issuer gave back.`;
  return `Your wallet got ${naira} for ${dollarsText(amount)}${shown === undefined ? at : ", as shown"}.`;
}
