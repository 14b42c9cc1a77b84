import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { CardOperationObject, CardParams, getOperation, presentOperation, UnloadCard, unloadCard } from "#services/cards/index.ts";
import { answerWithOperation } from "../../answers.ts";

export const POST = merchantRoute(
  {
    name: "unloadCard",
    summary: "Unload a card",
    description:
      "Takes dollars off the card; the wallet gets their worth at the unload rate, rounded down to the kobo; below `min_exchange_rate` nothing is done. 202 while the issuer has not decided: read the operation by its id until it is no longer `processing`. `card.unloaded` tells of success; no event tells of failure.",
    area: "cards",
    permission: unloadCard.needs.permission,
    params: CardParams,
    body: UnloadCard,
    returns: { 200: dataOf(CardOperationObject), 202: dataOf(CardOperationObject) },
    errors: [
      "RESOURCE_NOT_FOUND",
      "CARD_FROZEN",
      "CARD_TERMINATED",
      "CARD_NOT_ACTIVE",
      "PRICE_CHANGED",
      "INSUFFICIENT_CARD_BALANCE",
      "PROVIDER_UNAVAILABLE",
    ],
    replay: {
      newResourceId: () => newId("cardOperation"),
      afterLostAnswer: "finds",
      present: async (ctx, id) => ({ data: presentOperation(await getOperation(ctx, id)) }),
    },
  },
  async (ctx, { params, body: { amount, min_exchange_rate: minExchangeRate } }) =>
    answerWithOperation(await unloadCard(ctx, params.id, { amount, minExchangeRate })),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
