import type { z } from "zod";
import { type Money, money, toMajorNumber } from "#lib/money.ts";
import type { ExchangeRateObject } from "./contract.ts";
import { toRateNumber } from "./convert.ts";
import type { ExchangeRate } from "./rates.ts";

/** A fee rule, in US cents and basis points. */
interface Fee {
  flat: bigint;
  bps: number;
  minimum: bigint;
  maximum: bigint | null;
}

export function presentRate({ buy, sell, validUntil }: ExchangeRate, fee: Fee, issueFee: Money): z.output<typeof ExchangeRateObject> {
  const usd = (minor: bigint) => toMajorNumber(money(minor, "USD"));
  return {
    base: "USD",
    quote: "NGN",
    fund_rate: toRateNumber(sell),
    unload_rate: toRateNumber(buy),
    funding_fee: {
      flat: usd(fee.flat),
      percent: fee.bps / 100,
      minimum: usd(fee.minimum),
      maximum: fee.maximum === null ? null : usd(fee.maximum),
    },
    issue_fee: toMajorNumber(issueFee),
    valid_until: validUntil.toISOString(),
  };
}
