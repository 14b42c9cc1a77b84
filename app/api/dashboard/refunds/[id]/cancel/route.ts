import { ok } from "#app/_http/answers.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { refundAnswer } from "#app/api/v1/checkout/refunds/answers.ts";
import { cancelRefund, getRefund, RefundAnswer, RefundParams } from "#services/checkout/index.ts";

export const POST = dashboardRoute(
  {
    name: "cancelRefund",
    summary: "Cancel a refund that still needs an account",
    area: "checkout",
    permission: cancelRefund.needs.permission,
    params: RefundParams,
    returns: { 200: RefundAnswer },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "cancelRefund",
      afterLostAnswer: "answers",
      present: async (ctx, _id, { params }) => refundAnswer(await getRefund(ctx, params.id)),
    },
  },
  async (ctx, { params }) => ok(refundAnswer(await cancelRefund(ctx, params.id))),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
