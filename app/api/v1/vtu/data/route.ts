import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BuyData, buyProduct } from "#services/vtu/index.ts";
import { answerWithPurchase, optionsOf, purchaseRoute } from "../answer-with-purchase.ts";

export const POST = merchantRoute({ ...purchaseRoute, name: "buyData", summary: "Buy a data plan", body: BuyData }, async (ctx, { body }) =>
  answerWithPurchase(await buyProduct(ctx, { service: "data", productId: body.data_plan_id, phone: body.phone, ...optionsOf(body) })),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
