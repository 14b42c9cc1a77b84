import type { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import type { MerchantContext } from "#services/context.ts";
import { CustomerObject, presentCustomer, VerifyElectricity, verifyMeter } from "#services/vtu/index.ts";

const answer = async (ctx: MerchantContext, body: z.output<typeof VerifyElectricity>) => ({
  data: presentCustomer(await verifyMeter(ctx, { discoId: body.disco_id, meterNumber: body.meter_number, meterType: body.meter_type })),
});

export const POST = merchantRoute(
  {
    name: "verifyMeter",
    summary: "Name the customer of a meter",
    description: "Buys nothing. A number that nobody has is a `VALIDATION_ERROR`.",
    area: "vtu",
    permission: verifyMeter.needs.permission,
    // It is a question, and changes nothing.
    allowedWhileSuspended: true,
    body: VerifyElectricity,
    returns: { 200: dataOf(CustomerObject) },
    errors: ["PRODUCT_UNAVAILABLE", "PROVIDER_ERROR", "PROVIDER_UNAVAILABLE"],
    // The endpoint creates nothing, so a replay asks the provider again.
    replay: { newResourceId: () => "verifyMeter", afterLostAnswer: "repeats", present: (ctx, _id, { body }) => answer(ctx, body) },
  },
  async (ctx, { body }) => ok(await answer(ctx, body)),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
