import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { CardOperationObject, CardParams, FundCard, fundCard, getOperation, presentOperation } from "#services/cards/index.ts";
import { answerWithOperation } from "../../answers.ts";

export const POST = merchantRoute(
  {
    name: "fundCard",
    summary: "Fund a card",
    description:
      "Charges the wallet (amount + fee) × rate, rounded up to the kobo; above `max_exchange_rate` or `max_wallet_amount` nothing is done. 202 while the issuer has not decided: read the operation by its id until it is no longer `processing`. `card.funded` tells of success; no event tells of failure.",
    area: "cards",
    permission: fundCard.needs.permission,
    params: CardParams,
    body: FundCard,
    returns: { 200: dataOf(CardOperationObject), 202: dataOf(CardOperationObject) },
    errors: [
      "RESOURCE_NOT_FOUND",
      "CARD_FROZEN",
      "CARD_TERMINATED",
      "CARD_NOT_ACTIVE",
      "PRICE_CHANGED",
      "INSUFFICIENT_BALANCE",
      "PROVIDER_UNAVAILABLE",
    ],
    replay: {
      newResourceId: () => newId("cardOperation"),
      afterLostAnswer: "finds",
      present: async (ctx, id) => ({ data: presentOperation(await getOperation(ctx, id)) }),
    },
  },
  async (ctx, { params, body }) => {
    const { amount, max_exchange_rate: maxExchangeRate, max_wallet_amount: maxWalletAmount } = body;
    return answerWithOperation(await fundCard(ctx, params.id, { amount, maxExchangeRate, maxWalletAmount }));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
