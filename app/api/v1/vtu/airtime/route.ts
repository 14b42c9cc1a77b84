import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BuyAirtime, buyProduct } from "#services/vtu/index.ts";
import { answerWithPurchase, optionsOf, purchaseRoute } from "../answer-with-purchase.ts";

export const POST = merchantRoute(
  { ...purchaseRoute, name: "buyAirtime", summary: "Buy airtime", body: BuyAirtime },
  async (ctx, { body }) =>
    answerWithPurchase(
      await buyProduct(ctx, {
        service: "airtime",
        network: body.network,
        variant: body.provider,
        phone: body.phone,
        amount: body.amount,
        ...optionsOf(body),
      }),
    ),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
