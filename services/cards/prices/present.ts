import type { z } from "zod";
import { toMajorNumber } from "#lib/money.ts";
import { toRateNumber } from "../../exchange/index.ts";
import type { CardQuoteObject } from "../price-contract.ts";
import type { Quote } from "./quote.ts";

export function presentQuote(quote: Quote): z.output<typeof CardQuoteObject> {
  return {
    type: quote.type,
    amount: toMajorNumber(quote.amount),
    fee: toMajorNumber(quote.fee),
    total: toMajorNumber(quote.total),
    currency: "USD",
    exchange_rate: toRateNumber(quote.exchangeRate),
    wallet_amount: toMajorNumber(quote.walletAmount),
    wallet_currency: "NGN",
    valid_until: quote.validUntil.toISOString(),
  };
}
