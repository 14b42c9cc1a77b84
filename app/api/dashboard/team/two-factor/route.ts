import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { isoOrNull } from "#lib/time.ts";
import { getTwoFactorRule, RequireTwoFactor, requireTwoFactor, TwoFactorRule } from "#services/members/index.ts";
import { prove, SECRET_FIELDS } from "../../prove.ts";

const answer = (since: Date | null) => ({ data: { required_since: isoOrNull(since) } });

export const POST = dashboardRoute(
  {
    name: "requireTwoFactor",
    summary: "Ask the whole team for two-step sign-in, or let each member choose",
    permission: requireTwoFactor.needs.permission,
    body: RequireTwoFactor,
    returns: { 200: dataOf(TwoFactorRule) },
    replay: {
      newResourceId: () => "requireTwoFactor",
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS,
      present: async (ctx) => answer(await getTwoFactorRule(ctx)),
    },
  },
  async (ctx, { body: { required, ...proof } }) => {
    return ok(answer(await requireTwoFactor(await prove(ctx, requireTwoFactor, proof), required)));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
