import { ok } from "#app/_http/answers.ts";
import { ReferenceParams } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { answerWithLink } from "#app/api/v1/checkout/answer-with-link.ts";
import { newReference } from "#lib/ids.ts";
import { getLinkByReference, PaymentLinkAnswer, simulateExpiry } from "#services/checkout/index.ts";

export const POST = merchantRoute(
  {
    name: "simulateExpiry",
    summary: "End a link's time now",
    area: "checkout",
    testModeOnly: true,
    permission: simulateExpiry.needs.permission,
    params: ReferenceParams,
    returns: { 200: PaymentLinkAnswer },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: newReference,
      present: async (ctx, _id, { params }) => answerWithLink(await getLinkByReference(ctx, params.reference)),
    },
  },
  async (ctx, { params }) => ok(answerWithLink(await simulateExpiry(ctx, params.reference))),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
