import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { FirstSteps, hideFirstSteps } from "#services/merchants/index.ts";

export const POST = dashboardRoute(
  {
    name: "hideFirstSteps",
    summary: "Take the first steps off the home of the business, or put them back",
    permission: hideFirstSteps.needs.permission,
    body: FirstSteps,
    returns: { 200: dataOf(FirstSteps) },
    replay: { newResourceId: () => "hideFirstSteps", afterLostAnswer: "answers", present: async (_ctx, _id, { body }) => ({ data: body }) },
  },
  async (ctx, { body: { put_away: isAway } }) => {
    await hideFirstSteps(ctx, isAway);
    return ok({ data: { put_away: isAway } });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
