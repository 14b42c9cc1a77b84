import { z } from "zod";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { prove, SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { answerWithRefund, refundReplay, refundRoute } from "#app/api/v1/checkout/refunds/answers.ts";
import { createRefund, REFUND } from "#services/checkout/index.ts";
import { PROOF_WITH_FACTOR_FIELDS } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    ...refundRoute,
    name: "createRefundOfMember",
    summary: "Refund a payment",
    description: "In live mode with a passkey, or with the password and a code.",
    area: "checkout",
    permission: createRefund.needs.permission,
    body: z.strictObject({ ...REFUND, ...PROOF_WITH_FACTOR_FIELDS }),
    replay: { ...refundReplay, secretFields: SECRET_FIELDS_WITH_CODE },
  },
  async (ctx, { body: { reference, amount, reason, ...proof } }) => {
    const proven = await prove(ctx, createRefund, proof);
    return answerWithRefund(await createRefund(proven, { reference, amount, reason }));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
