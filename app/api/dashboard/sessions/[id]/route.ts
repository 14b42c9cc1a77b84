import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { EndedSession, endOwnSession, SessionParams } from "#services/sessions/index.ts";

export const DELETE = dashboardRoute(
  {
    name: "endOwnSession",
    summary: "Sign out one browser",
    permission: endOwnSession.needs.permission,
    allowedWhileSuspended: true,
    params: SessionParams,
    returns: { 200: dataOf(EndedSession) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => {
    await endOwnSession(ctx, params.id);
    return ok({ data: { id: params.id, ended: true as const } });
  },
);

export const { GET, POST, PUT, PATCH, OPTIONS } = refuseOtherThan("DELETE");
