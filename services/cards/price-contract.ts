import { z } from "zod";
import { toRate } from "../exchange/contract.ts";
import { dollarsBetween, dollarsText, nairaBetween } from "../fields.ts";

// The part of the contract that is about prices: `contract.ts` exports it to others.

/** US dollars that one funding may have. */
export const MIN_FUNDING = 1;
export const MAX_FUNDING = 10_000;
const AMOUNT_OF = { fund: dollarsBetween(MIN_FUNDING, MAX_FUNDING), unload: dollarsBetween(0.01, 10_000_000) };

/** Above every price that a funding can have. */
const MAX_WALLET_AMOUNT = 1_000_000_000_000;

const Rate = z.number({ error: "Send a number: Naira for a dollar." }).transform((number, ctx) => {
  const rate = toRate(number);
  if (rate !== undefined) return rate;
  ctx.addIssue({ code: "custom", message: "Send a rate above zero with at most four decimals: Naira for a dollar." });
  return z.NEVER;
});

export const FundCard = z
  .strictObject({
    amount: AMOUNT_OF.fund.meta({ description: "US dollars, with at most two decimals.", example: 20 }),
    max_exchange_rate: Rate.optional().meta({
      description: "Naira for a dollar. Above this rate nothing is done: `PRICE_CHANGED`.",
      example: 1650,
    }),
    max_wallet_amount: nairaBetween(0.01, MAX_WALLET_AMOUNT).optional().meta({
      description:
        "Naira, the whole charge with the fee: `wallet_amount` of a quote. Where it would be more, nothing is done: `PRICE_CHANGED`.",
      example: 34_650,
    }),
  })
  .meta({ id: "FundCard" });

export const UnloadCard = z
  .strictObject({
    amount: AMOUNT_OF.unload.meta({ description: "US dollars, at most the balance.", example: 5 }),
    min_exchange_rate: Rate.optional().meta({
      description: "Naira for a dollar: `exchange_rate` of a quote. Below this rate nothing is done: `PRICE_CHANGED`.",
      example: 1450,
    }),
  })
  .meta({ id: "UnloadCard" });

const QUOTED = ["fund", "unload"] as const;

/** The limits of `amount` are those of the operation's body. */
export const QuoteQuery = z
  .object({
    type: z.enum(QUOTED, { error: "Send fund or unload." }).meta({ description: "The operation to quote." }),
    amount: dollarsText.meta({
      description: "US dollars, with at most two decimals; the limits are those of the operation.",
      example: "20",
    }),
  })
  .superRefine(({ type, amount }, ctx) => {
    // Beyond 10 trillion dollars the number is not exact, but it is refused all the same.
    const { error } = AMOUNT_OF[type].safeParse(Number(amount.minor) / 100);
    for (const { message } of error?.issues ?? []) ctx.addIssue({ code: "custom", path: ["amount"], message });
  });

export const CardQuoteObject = z
  .object({
    type: z.enum(QUOTED),
    amount: z.number().meta({ description: "US dollars put on the card, or taken off it." }),
    fee: z.number().meta({ description: "US dollars." }),
    total: z.number().meta({ description: "Amount and fee: US dollars." }),
    currency: z.literal("USD"),
    exchange_rate: z.number().meta({ description: "Naira for a dollar." }),
    wallet_amount: z.number().meta({ description: "Naira that the wallet would be charged, or credited." }),
    wallet_currency: z.literal("NGN"),
    valid_until: z.iso.datetime().meta({ description: "The end of the rate's validity. A newer rate or fee may apply before." }),
  })
  .meta({ id: "CardQuote" });
