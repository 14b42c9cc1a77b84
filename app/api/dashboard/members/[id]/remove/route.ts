import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { FormerMember, MemberParams, RemoveMember, removeMember } from "#services/members/index.ts";
import { prove, SECRET_FIELDS } from "../../../prove.ts";

const answer = (id: string) => ({ data: { id, removed: true as const } });

export const POST = dashboardRoute(
  {
    name: "removeMember",
    summary: "Take a member out of the business",
    permission: removeMember.needs.permission,
    allowedWhileSuspended: true,
    params: MemberParams,
    body: RemoveMember,
    returns: { 200: dataOf(FormerMember) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "removeMember",
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS,
      present: async (_ctx, _id, { params }) => answer(params.id),
    },
  },
  async (ctx, { params: { id }, body: proof }) => {
    await removeMember(await prove(ctx, removeMember, proof), id);
    return ok(answer(id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
