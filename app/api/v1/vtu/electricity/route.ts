import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BuyElectricity, buyProduct } from "#services/vtu/index.ts";
import { answerWithPurchase, customerOf, optionsOf, purchaseRoute } from "../answer-with-purchase.ts";

export const POST = merchantRoute(
  { ...purchaseRoute, name: "buyElectricity", summary: "Buy electricity", body: BuyElectricity },
  async (ctx, { body }) =>
    answerWithPurchase(
      await buyProduct(ctx, {
        service: "electricity",
        productId: body.disco_id,
        meterNumber: body.meter_number,
        meterType: body.meter_type,
        amount: body.amount,
        customer: customerOf({ name: body.customer_name, phone: body.customer_phone, email: body.customer_email }),
        ...optionsOf(body),
      }),
    ),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
