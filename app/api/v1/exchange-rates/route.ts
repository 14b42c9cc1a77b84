import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { listRates } from "#services/cards/index.ts";
import { ExchangeRateList } from "#services/exchange/index.ts";

export const GET = merchantRoute(
  {
    name: "listExchangeRates",
    summary: "Read your exchange rates and funding fee",
    description:
      "What funding and unloading cost at this moment; `…/quote` of a card has the figures for an amount. An operation answers with the rate that it was made at.",
    permission: "wallet:read",
    returns: { 200: ExchangeRateList },
    errors: ["PROVIDER_UNAVAILABLE"],
  },
  async (ctx) => ok({ data: await listRates(ctx) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
