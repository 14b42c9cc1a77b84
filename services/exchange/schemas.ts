import { z } from "zod";
import { type Money, money, toMajorNumber } from "#lib/money.ts";
import { toRateNumber } from "./convert.ts";
import type { ExchangeRate } from "./rates.ts";

const usdAmount = z.number().meta({ description: "US dollars." });

const ExchangeRateObject = z
  .object({
    base: z.literal("USD"),
    quote: z.literal("NGN"),
    fund_rate: z.number().meta({ description: "Naira that a dollar costs when a card is funded." }),
    unload_rate: z.number().meta({ description: "Naira that a dollar brings when a card is unloaded or terminated." }),
    funding_fee: z
      .object({ flat: usdAmount, percent: z.number(), minimum: usdAmount, maximum: usdAmount.nullable() })
      .meta({ description: "`flat` and `percent` of the amount, at least `minimum`, at most `maximum`." }),
    issue_fee: usdAmount.meta({ description: "US dollars that issuing a card costs." }),
    valid_until: z.iso.datetime(),
  })
  .meta({ id: "ExchangeRate" });

export const ExchangeRateList = z.object({ data: z.array(ExchangeRateObject) }).meta({ id: "ExchangeRateList" });

/** US cents and basis points. */
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
