import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { FirstSteps, putStepsAway } from "#services/merchants/index.ts";

export const POST = dashboardRoute(
  {
    name: "putStepsAway",
    summary: "Take the first steps off the home of the business, or put them back",
    permission: putStepsAway.needs.permission,
    body: FirstSteps,
    returns: { 200: dataOf(FirstSteps) },
    replay: { newResourceId: () => "putStepsAway", afterLostAnswer: "answers", present: async (_ctx, _id, { body }) => ({ data: body }) },
  },
  async (ctx, { body: { put_away: isAway } }) => {
    await putStepsAway(ctx, isAway);
    return ok({ data: { put_away: isAway } });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
