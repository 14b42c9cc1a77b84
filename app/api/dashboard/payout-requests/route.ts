import { z } from "zod";
import { created } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { prove, SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { newId } from "#lib/ids.ts";
import { getPayoutRequest, PayoutRequestObject, presentPayoutRequest, REQUEST_OF_MEMBER, requestPayout } from "#services/payouts/index.ts";
import { PROOF_WITH_FACTOR_FIELDS } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "requestPayout",
    summary: "Ask a second person for a payout",
    description: "For amounts above the sum for which the business wants two people. Nothing is held until the second person agrees.",
    permission: requestPayout.needs.permission,
    requiresIdempotencyKey: true,
    body: z.strictObject({ ...REQUEST_OF_MEMBER, ...PROOF_WITH_FACTOR_FIELDS }),
    returns: { 201: dataOf(PayoutRequestObject) },
    errors: ["RESOURCE_NOT_FOUND", "LIMIT_EXCEEDED", "PROVIDER_UNAVAILABLE"],
    replay: {
      newResourceId: () => newId("payoutRequest"),
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS_WITH_CODE,
      present: async (ctx, id) => ({ data: presentPayoutRequest(await getPayoutRequest(ctx, id)) }),
    },
  },
  async (ctx, { body: { amount, bank_account_id: bankAccountId, narration, ...proof } }) => {
    const proven = await prove(ctx, requestPayout, proof);
    return created({ data: presentPayoutRequest(await requestPayout(proven, { amount, bankAccountId, narration })) });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
