import { z } from "zod";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { prove, SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { answerWithRefund, refundAnswer } from "#app/api/v1/checkout/refunds/answers.ts";
import { confirmRefundAccount, getRefund, RefundAnswer, RefundParams } from "#services/checkout/index.ts";
import { PROOF_WITH_FACTOR_FIELDS } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "confirmRefundAccount",
    summary: "Send a refund to an account with another name than the payer's",
    description: "Only an owner may. In live mode with a passkey, or with the password and a code.",
    area: "checkout",
    permission: confirmRefundAccount.needs.permission,
    params: RefundParams,
    body: z.strictObject(PROOF_WITH_FACTOR_FIELDS),
    returns: { 200: RefundAnswer, 202: RefundAnswer },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "confirmRefundAccount",
      afterLostAnswer: "finds",
      present: async (ctx, _id, { params }) => refundAnswer(await getRefund(ctx, params.id)),
      secretFields: SECRET_FIELDS_WITH_CODE,
    },
  },
  async (ctx, { params, body }) => {
    const proven = await prove(ctx, confirmRefundAccount, body);
    return answerWithRefund(await confirmRefundAccount(proven, params.id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
