import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { PayoutQuoteObject, PayoutQuoteQuery, presentPayoutQuote, quotePayout } from "#services/payouts/index.ts";

export const GET = merchantRoute(
  {
    name: "quotePayout",
    summary: "Ask what a payout costs",
    description: "Nothing is held. Fee and balance may change before the payout.",
    permission: "wallet:read",
    query: PayoutQuoteQuery,
    returns: { 200: dataOf(PayoutQuoteObject) },
  },
  async (ctx, { query }) => ok({ data: presentPayoutQuote(await quotePayout(ctx, query.amount)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
