import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { getPayout, PayoutObject, PayoutParams, presentPayout } from "#services/payouts/index.ts";

export const GET = merchantRoute(
  {
    name: "getPayout",
    summary: "Read a payout",
    permission: "wallet:read",
    params: PayoutParams,
    returns: { 200: dataOf(PayoutObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentPayout(await getPayout(ctx, params.id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
