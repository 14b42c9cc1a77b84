import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { refundAnswer } from "#app/api/v1/checkout/refunds/answers.ts";
import { getRefund, RefundAnswer, RefundParams } from "#services/checkout/index.ts";

export const GET = merchantRoute(
  {
    name: "getRefund",
    summary: "Read a refund",
    area: "checkout",
    permission: "checkout:read",
    params: RefundParams,
    returns: { 200: RefundAnswer },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok(refundAnswer(await getRefund(ctx, params.id))),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
