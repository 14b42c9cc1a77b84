import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { CardObject, CardParams, changeCard, getCard, presentCard } from "#services/cards/index.ts";
import { answerWithCard } from "../../answers.ts";

export const POST = merchantRoute(
  {
    name: "terminateCard",
    summary: "Terminate a card",
    description:
      "For good. What is left on it, less open authorizations, goes to the wallet at the unload rate. 202 while the issuer has not answered.",
    area: "cards",
    permission: changeCard.needs.permission,
    params: CardParams,
    returns: { 200: dataOf(CardObject), 202: dataOf(CardObject) },
    errors: ["RESOURCE_NOT_FOUND", "CARD_NOT_ACTIVE", "PROVIDER_ERROR"],
    replay: {
      newResourceId: () => newId("cardOperation"),
      afterLostAnswer: "finds",
      present: async (ctx, _operation, { params }) => ({ data: presentCard(await getCard(ctx, params.id)) }),
    },
  },
  async (ctx, { params }) => answerWithCard(await changeCard(ctx, params.id, "terminate")),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
