import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { permissionsOf } from "#services/members/index.ts";
import { OwnSessionObject } from "#services/sessions/index.ts";
import { getOwnUser } from "#services/users/index.ts";

export const GET = dashboardRoute(
  {
    name: "getOwnSession",
    summary: "Read who is signed in, and what they may do here",
    permission: "self",
    returns: { 200: dataOf(OwnSessionObject) },
  },
  async (ctx) => {
    const { id, mode, businessId, businessName } = ctx.merchant;
    const user = await getOwnUser(ctx);
    return ok({
      data: {
        session_id: ctx.sessionId,
        user: { id: user.id, name: user.name, email: user.email },
        merchant: { id, mode, business_id: businessId, business_name: businessName },
        role: ctx.role,
        permissions: permissionsOf(ctx.role, mode),
      },
    });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
