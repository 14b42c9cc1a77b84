import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { EndedSessions, endOtherSessions } from "#services/sessions/index.ts";

export const POST = dashboardRoute(
  {
    name: "endOtherSessions",
    summary: "Sign out everywhere else",
    permission: endOtherSessions.needs.permission,
    allowedWhileSuspended: true,
    returns: { 200: dataOf(EndedSessions) },
    // A replay also ends sessions that began since the first attempt, which is what the person asked for.
    replay: {
      newResourceId: () => "endOtherSessions",
      afterLostAnswer: "repeats",
      present: async (ctx) => ({ data: { ended: await endOtherSessions(ctx, ctx.sessionId) } }),
    },
  },
  async (ctx) => ok({ data: { ended: await endOtherSessions(ctx, ctx.sessionId) } }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
