import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardDetailsObject, CardParams, presentDetails, revealDetails } from "#services/cards/index.ts";

export const GET = merchantRoute(
  {
    name: "revealCardDetails",
    summary: "Reveal a card's number and CVV",
    description:
      "Fetched from the issuer for this one answer, and kept nowhere. Needs a key with the permission cards:reveal (no session will do), and leaves an audit entry.",
    area: "cards",
    permission: revealDetails.needs.permission,
    callers: "keys",
    params: CardParams,
    returns: { 200: dataOf(CardDetailsObject) },
    errors: ["RESOURCE_NOT_FOUND", "CARD_TERMINATED", "CARD_NOT_ACTIVE", "PROVIDER_ERROR"],
  },
  async (ctx, { params }) => ok({ data: presentDetails(await revealDetails(ctx, params.id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
