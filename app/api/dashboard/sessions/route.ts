import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { listOwnSessions, presentSession, SessionObject } from "#services/sessions/index.ts";

export const GET = dashboardRoute(
  {
    name: "listOwnSessions",
    summary: "List where one is signed in",
    permission: "self",
    returns: { 200: dataOf(z.array(SessionObject)) },
  },
  async (ctx) => ok({ data: (await listOwnSessions(ctx)).map((session) => presentSession(session, ctx.sessionId)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
