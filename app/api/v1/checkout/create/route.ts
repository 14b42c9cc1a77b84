import { created } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newLinkReference } from "#lib/references.ts";
import { CreatePaymentLink, createPaymentLink, getLinkByReference, PaymentLinkAnswer } from "#services/checkout/index.ts";
import { answerWithLink } from "../answer-with-link.ts";

export const POST = merchantRoute(
  {
    name: "createPaymentLink",
    summary: "Create a payment link",
    description: "Opens a one-time account for one exact amount. Send the customer to `payment_link`.",
    area: "checkout",
    permission: createPaymentLink.needs.permission,
    body: CreatePaymentLink,
    returns: { 201: PaymentLinkAnswer },
    errors: ["PROVIDER_ERROR", "PROVIDER_UNAVAILABLE"],
    replay: {
      newResourceId: ({ merchant }) => newLinkReference(merchant.number),
      present: async (ctx, reference) => answerWithLink(await getLinkByReference(ctx, reference)),
    },
  },
  async (ctx, { body }) => created(answerWithLink(await createPaymentLink(ctx, body))),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
