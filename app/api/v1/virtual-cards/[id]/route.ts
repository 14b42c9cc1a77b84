import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardObject, CardParams, ChangeCard, getCard, presentCard, renameCard } from "#services/cards/index.ts";

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

export const PATCH = merchantRoute(
  {
    name: "changeCard",
    summary: "Rename a card",
    description: "Gives a card another nickname. Null or empty text takes it away.",
    area: "cards",
    permission: renameCard.needs.permission,
    params: CardParams,
    body: ChangeCard,
    returns: { 200: dataOf(CardObject) },
    errors: ["RESOURCE_NOT_FOUND", "CARD_TERMINATED"],
  },
  async (ctx, { params, body }) => ok({ data: presentCard(await renameCard(ctx, params.id, body.nickname)) }),
);

export const { POST, PUT, DELETE, OPTIONS } = refuseOtherThan("GET", "PATCH");
