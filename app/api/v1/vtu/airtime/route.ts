import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BuyAirtime, buyProduct } from "#services/vtu/index.ts";
import { answerWithPurchase, purchaseRoute } from "../answer-with-purchase.ts";

export const POST = merchantRoute(
  { ...purchaseRoute, name: "buyAirtime", summary: "Buy airtime", body: BuyAirtime },
  async (ctx, { body }) => {
    const { expected_price: expectedPrice, allow_duplicate: allowDuplicate } = body;
    return answerWithPurchase(
      await buyProduct(ctx, {
        service: "airtime",
        network: body.network,
        variant: body.provider,
        phone: body.phone,
        amount: body.amount,
        expectedPrice,
        allowDuplicate,
      }),
    );
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
