import type { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardDetailsObject, CardParams, presentDetails, revealDetails } from "#services/cards/index.ts";
import type { MemberContext } from "#services/context.ts";
import { PasswordOrPasskey, requireProof } from "#services/users/index.ts";

async function answer(ctx: MemberContext, cardId: string, proof: z.output<typeof PasswordOrPasskey>) {
  const proven = await requireProof(ctx, revealDetails.needs.proof, proof);
  return { data: presentDetails(await revealDetails(proven, cardId)) };
}

export const POST = dashboardRoute(
  {
    name: "revealCardToMember",
    summary: "Show a card's number and CVV to a member, who repeats the password or uses a passkey",
    area: "cards",
    permission: revealDetails.needs.permission,
    // It changes nothing. It is a POST because its body has a proof.
    allowedWhileSuspended: true,
    params: CardParams,
    body: PasswordOrPasskey,
    returns: { 200: dataOf(CardDetailsObject) },
    errors: ["RESOURCE_NOT_FOUND", "CARD_TERMINATED", "CARD_NOT_ACTIVE", "PROVIDER_ERROR"],
    // Nothing of the answer is stored, so a replay needs a new proof and asks the issuer again.
    replay: {
      newResourceId: () => "revealCardToMember",
      afterLostAnswer: "repeats",
      secretFields: ["password", "challenge", "response"],
      present: (ctx, _id, { params, body }) => answer(ctx, params.id, body),
    },
  },
  async (ctx, { params, body }) => ok(await answer(ctx, params.id, body)),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
