import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { CardObject, CardParams, changeCard, getCard, presentCard } from "#services/cards/index.ts";
import { answerWithCard } from "../../answers.ts";

export const POST = merchantRoute(
  {
    name: "freezeCard",
    summary: "Freeze a card",
    description: "Authorizations are declined from now on; clearings and refunds still come. 202 while the issuer has not answered.",
    area: "cards",
    permission: changeCard.needs.permission,
    allowedWhileSuspended: true,
    params: CardParams,
    returns: { 200: dataOf(CardObject), 202: dataOf(CardObject) },
    errors: ["RESOURCE_NOT_FOUND", "CARD_TERMINATED", "CARD_NOT_ACTIVE", "REQUEST_IN_PROGRESS", "PROVIDER_ERROR"],
    replay: {
      newResourceId: () => newId("cardOperation"),
      afterLostAnswer: "finds",
      present: async (ctx, _operation, { params }) => ({ data: presentCard(await getCard(ctx, params.id)) }),
    },
  },
  async (ctx, { params }) => answerWithCard(await changeCard(ctx, params.id, "freeze")),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
