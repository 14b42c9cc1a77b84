import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import type { MemberContext } from "#services/context.ts";
import { getInvitation, InvitationObject, InvitationParams, presentInvitation, withdrawInvitation } from "#services/members/index.ts";

const answer = async (ctx: MemberContext, id: string) => ({ data: presentInvitation(await getInvitation(ctx, id)) });

export const POST = dashboardRoute(
  {
    name: "withdrawInvitation",
    summary: "End the link of an invitation",
    permission: withdrawInvitation.needs.permission,
    allowedWhileSuspended: true,
    params: InvitationParams,
    returns: { 200: dataOf(InvitationObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "withdrawInvitation",
      afterLostAnswer: "answers",
      present: (ctx, _id, { params }) => answer(ctx, params.id),
    },
  },
  async (ctx, { params: { id } }) => {
    await withdrawInvitation(ctx, id);
    return ok(await answer(ctx, id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
