import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BuyCable, buyProduct } from "#services/vtu/index.ts";
import { answerWithPurchase, customerOf, optionsOf, purchaseRoute } from "../answer-with-purchase.ts";

export const POST = merchantRoute(
  { ...purchaseRoute, name: "buyCable", summary: "Pay for a cable plan", body: BuyCable },
  async (ctx, { body }) =>
    answerWithPurchase(
      await buyProduct(ctx, {
        service: "cable",
        productId: body.cable_plan_id,
        smartCardNumber: body.smart_card_number,
        customer: customerOf({ phone: body.customer_phone }),
        ...optionsOf(body),
      }),
    ),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
