import { created } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newReference } from "#lib/ids.ts";
import {
  CardParams,
  CardTransactionObject,
  getSimulated,
  presentTransaction,
  SimulateSpend,
  simulatedReference,
  simulateSpend,
} from "#services/cards/index.ts";

export const POST = merchantRoute(
  {
    name: "simulateSpend",
    summary: "Charge a card as a shop would",
    description:
      "An authorization by default; beyond the balance, or on a frozen or terminated card, it becomes a DECLINE. A clearing, reversal or refund may follow another transaction, in part or as a whole. Returns the transaction as the issuer reported it.",
    area: "cards",
    testModeOnly: true,
    permission: simulateSpend.needs.permission,
    params: CardParams,
    body: SimulateSpend,
    returns: { 201: dataOf(CardTransactionObject) },
    errors: ["RESOURCE_NOT_FOUND", "CARD_NOT_ACTIVE", "PROVIDER_ERROR"],
    replay: {
      newResourceId: newReference,
      afterLostAnswer: "finds",
      present: async (ctx, id, { params }) => ({ data: presentTransaction(await getSimulated(ctx, params.id, simulatedReference(id))) }),
    },
  },
  async (ctx, { params, body }) => created({ data: presentTransaction(await simulateSpend(ctx, params.id, body)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
