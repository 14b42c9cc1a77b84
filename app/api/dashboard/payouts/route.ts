import { z } from "zod";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { prove, SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { answerWithPayout, payoutReplay, payoutRoute } from "#app/api/v1/payouts/answers.ts";
import { createPayout, PAYOUT_OF_MEMBER } from "#services/payouts/index.ts";
import { PROOF_WITH_FACTOR_FIELDS } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    ...payoutRoute,
    name: "createPayoutOfMember",
    summary: "Send money to a bank account",
    description: "In live mode with a passkey, or with the password and a code.",
    permission: createPayout.needs.permission,
    body: z.strictObject({ ...PAYOUT_OF_MEMBER, ...PROOF_WITH_FACTOR_FIELDS }),
    replay: { ...payoutReplay, secretFields: SECRET_FIELDS_WITH_CODE },
  },
  async (ctx, { body: { amount, bank_account_id: bankAccountId, narration, expected_total: expectedTotal, ...proof } }) => {
    const proven = await prove(ctx, createPayout, proof);
    return answerWithPayout(await createPayout(proven, { amount, bankAccountId, narration, expectedTotal }));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
