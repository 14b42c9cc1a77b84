import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { FormerMember, MemberParams, removeMember } from "#services/members/index.ts";

const answer = (id: string) => ({ data: { id, removed: true as const } });

export const POST = dashboardRoute(
  {
    name: "removeMember",
    summary: "Take a member out of the business",
    permission: "team:write",
    allowedWhileSuspended: true,
    params: MemberParams,
    returns: { 200: dataOf(FormerMember) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: { newResourceId: () => "removeMember", refusalsAreFinal: true, present: async (_ctx, _id, { params }) => answer(params.id) },
  },
  async (ctx, { params: { id } }) => {
    await removeMember(ctx, id);
    return ok(answer(id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
