import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardParams, CardQuoteObject, presentQuote, QuoteQuery, quoteFunding, quoteUnload } from "#services/cards/index.ts";

export const GET = merchantRoute(
  {
    name: "quoteCard",
    summary: "Quote a funding or an unload",
    description:
      "The price that the operation would have now. A quote holds nothing, and does not look at the balances. A new rate or fee may come before `valid_until`: send `wallet_amount` as `max_wallet_amount` of the funding, or `exchange_rate` as `min_exchange_rate` of the unload, and you pay no more and get no less, or `PRICE_CHANGED` says that nothing was done.",
    area: "cards",
    permission: "cards:read",
    params: CardParams,
    query: QuoteQuery,
    returns: { 200: dataOf(CardQuoteObject) },
    errors: ["RESOURCE_NOT_FOUND", "CARD_FROZEN", "CARD_TERMINATED", "CARD_NOT_ACTIVE", "PROVIDER_UNAVAILABLE"],
  },
  async (ctx, { params, query: { type, amount } }) => {
    const quote = type === "fund" ? await quoteFunding(ctx, params.id, amount) : await quoteUnload(ctx, params.id, amount);
    return ok({ data: presentQuote(quote) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
