import { ok } from "#app/_http/answers.ts";
import { ReferenceParams } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { answerWithLink } from "#app/api/v1/checkout/answer-with-link.ts";
import { newReference } from "#lib/ids.ts";
import { getLinkByReference, PaymentLinkAnswer, SimulateTransfer, simulateTransfer } from "#services/checkout/index.ts";

export const POST = merchantRoute(
  {
    name: "simulateTransfer",
    summary: "Send test money to a link's account",
    description: "By default the exact amount, now. Returns the link as it is after the bank's notice.",
    area: "checkout",
    testModeOnly: true,
    permission: simulateTransfer.needs.permission,
    params: ReferenceParams,
    body: SimulateTransfer,
    returns: { 200: PaymentLinkAnswer },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: newReference,
      present: async (ctx, _session, { params }) => answerWithLink(await getLinkByReference(ctx, params.reference)),
    },
  },
  async (ctx, { params, body }) => ok(answerWithLink(await simulateTransfer(ctx, params.reference, body))),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
