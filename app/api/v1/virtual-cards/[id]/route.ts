import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardObject, CardParams, getCard, presentCard } from "#services/cards/index.ts";

export const GET = merchantRoute(
  {
    name: "getCard",
    summary: "Read a card and its balance",
    area: "cards",
    permission: "cards:read",
    params: CardParams,
    returns: { 200: dataOf(CardObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentCard(await getCard(ctx, params.id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
