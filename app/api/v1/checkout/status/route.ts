import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { getLinkByReference, PaymentLinkAnswer, StatusQuery } from "#services/checkout/index.ts";
import { answerWithLink } from "../answer-with-link.ts";

export const GET = merchantRoute(
  {
    name: "getPaymentLinkStatus",
    summary: "Read a payment link",
    description: "Polling is optional: the feed of events says the same.",
    area: "checkout",
    permission: "checkout:read",
    query: StatusQuery,
    returns: { 200: PaymentLinkAnswer },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { query }) => ok(answerWithLink(await getLinkByReference(ctx, query.reference))),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
