import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { invalid } from "#lib/problem.ts";
import type { MemberContext } from "#services/context.ts";
import { FormerMember, LeaveBusiness, leaveBusiness } from "#services/members/index.ts";
import { prove, SECRET_FIELDS } from "../../prove.ts";

const answer = ({ actor }: MemberContext) => ({ data: { id: actor.id, removed: true as const } });

export const POST = dashboardRoute(
  {
    name: "leaveBusiness",
    summary: "Leave the business",
    permission: leaveBusiness.needs.permission,
    allowedWhileSuspended: true,
    answersFormerMembers: true,
    body: LeaveBusiness,
    returns: { 200: dataOf(FormerMember) },
    replay: {
      newResourceId: () => "leaveBusiness",
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS,
      present: async (ctx) => answer(ctx),
    },
  },
  async (ctx, { body: { business_id: businessId, ...proof } }) => {
    if (businessId !== ctx.merchant.businessId) throw invalid("business_id", "Send the id of the business that you leave.");
    await leaveBusiness(await prove(ctx, leaveBusiness, proof));
    return ok(answer(ctx));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
