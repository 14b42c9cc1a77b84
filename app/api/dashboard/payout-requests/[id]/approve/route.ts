import { z } from "zod";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { prove, SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { answerWithPayout, payoutReplay, payoutRoute } from "#app/api/v1/payouts/answers.ts";
import { approvePayout, PayoutRequestParams } from "#services/payouts/index.ts";
import { PROOF_WITH_FACTOR_FIELDS } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    ...payoutRoute,
    name: "approvePayout",
    summary: "Agree to a payout as the second person",
    description: "Pays it out. The person who asked for it cannot agree to it.",
    permission: approvePayout.needs.permission,
    params: PayoutRequestParams,
    body: z.strictObject(PROOF_WITH_FACTOR_FIELDS),
    replay: { ...payoutReplay, secretFields: SECRET_FIELDS_WITH_CODE },
  },
  async (ctx, { params, body }) => {
    const proven = await prove(ctx, approvePayout, body);
    return answerWithPayout(await approvePayout(proven, params.id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
