import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardholderObject, CardholderParams, getCardholder, presentCardholder } from "#services/cards/index.ts";

export const GET = merchantRoute(
  {
    name: "getCardholder",
    summary: "Read a cardholder",
    description: "Ask until `kyc_status` is APPROVED, or wait for the event.",
    area: "cards",
    permission: "cards:read",
    params: CardholderParams,
    returns: { 200: dataOf(CardholderObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentCardholder(await getCardholder(ctx, params.id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
