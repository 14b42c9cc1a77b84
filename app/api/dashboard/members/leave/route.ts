import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { FormerMember, leaveBusiness } from "#services/members/index.ts";

export const POST = dashboardRoute(
  {
    name: "leaveBusiness",
    summary: "Leave the business",
    permission: "self",
    allowedWhileSuspended: true,
    returns: { 200: dataOf(FormerMember) },
  },
  async (ctx) => {
    await leaveBusiness(ctx);
    return ok({ data: { id: ctx.actor.id, removed: true as const } });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
