import type { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import type { MerchantContext } from "#services/context.ts";
import { CustomerObject, presentCustomer, VerifyCable, verifySmartCard } from "#services/vtu/index.ts";

const answer = async (ctx: MerchantContext, body: z.output<typeof VerifyCable>) => ({
  data: presentCustomer(
    await verifySmartCard(ctx, { productId: body.cable_plan_id, broadcaster: body.provider_name, smartCardNumber: body.smart_card_number }),
  ),
});

export const POST = merchantRoute(
  {
    name: "verifySmartCard",
    summary: "Name the customer of a smart card",
    description: "Buys nothing. A number that nobody has is a `VALIDATION_ERROR`.",
    area: "vtu",
    permission: verifySmartCard.needs.permission,
    // It is a question, and changes nothing.
    allowedWhileSuspended: true,
    body: VerifyCable,
    returns: { 200: dataOf(CustomerObject) },
    errors: ["PRODUCT_UNAVAILABLE", "PROVIDER_ERROR", "PROVIDER_UNAVAILABLE"],
    // The endpoint creates nothing, so a replay asks the provider again.
    replay: { newResourceId: () => "verifySmartCard", afterLostAnswer: "repeats", present: (ctx, _id, { body }) => answer(ctx, body) },
  },
  async (ctx, { body }) => ok(await answer(ctx, body)),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
