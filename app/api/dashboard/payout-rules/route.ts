import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { prove, SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import type { MemberContext } from "#services/context.ts";
import { getPayoutRules, PAYOUT_RULES, PayoutRulesObject, presentPayoutRules, setPayoutRules } from "#services/payouts/index.ts";
import { PROOF_WITH_FACTOR_FIELDS } from "#services/users/index.ts";

const RulesNowAndNext = z.object({
  now: PayoutRulesObject,
  next: PayoutRulesObject.nullable().meta({ description: "The rules that wait until they begin." }),
});

async function present(ctx: MemberContext) {
  const { now, next } = await getPayoutRules(ctx);
  return { data: { now: presentPayoutRules(now), next: next ? presentPayoutRules(next) : null } };
}

export const POST = dashboardRoute(
  {
    name: "setPayoutRules",
    summary: "Set the business's rules for payouts",
    description: "What allows less begins at once. In live mode what allows more begins a day later, and needs a second factor.",
    permission: setPayoutRules.needs.permission,
    body: z.strictObject({ ...PAYOUT_RULES, ...PROOF_WITH_FACTOR_FIELDS }),
    returns: { 200: dataOf(RulesNowAndNext) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "setPayoutRules",
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS_WITH_CODE,
      present: (ctx) => present(ctx),
    },
  },
  async (ctx, { body }) => {
    const { max_amount: maxAmount, max_a_day: maxADay, two_people_above: twoPeopleAbove, automatic, ...rest } = body;
    const { automatic_account_id: automaticAccountId, automatic_reserve: automaticReserve, ...proof } = rest;
    const proven = await prove(ctx, setPayoutRules, proof);
    await setPayoutRules(proven, { maxAmount, maxADay, twoPeopleAbove, automatic, automaticAccountId, automaticReserve });
    return ok(await present(ctx));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
