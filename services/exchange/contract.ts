import { z } from "zod";

export { toRate } from "./convert.ts";

const usdAmount = z.number().meta({ description: "US dollars." });

export const ExchangeRateObject = z
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
