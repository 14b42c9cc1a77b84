import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BuyExam, buyProduct } from "#services/vtu/index.ts";
import { answerWithPurchase, optionsOf, purchaseRoute } from "../answer-with-purchase.ts";

export const POST = merchantRoute(
  {
    ...purchaseRoute,
    name: "buyExam",
    summary: "Buy exam pins",
    body: BuyExam,
    errors: purchaseRoute.errors.filter((code) => code !== "DUPLICATE_PURCHASE"),
  },
  async (ctx, { body }) =>
    answerWithPurchase(
      await buyProduct(ctx, { service: "exam", productId: body.exam_type_id, quantity: body.quantity, ...optionsOf(body) }),
    ),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
