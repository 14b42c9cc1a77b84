import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { HandOver, handOver, MemberObject, MemberParams } from "#services/members/index.ts";
import { prove, SECRET_FIELDS } from "../../../prove.ts";

const answer = (id: string) => ({ data: { id, role: "owner" as const } });

export const POST = dashboardRoute(
  {
    name: "handOver",
    summary: "Make another member an owner, and oneself an admin",
    permission: handOver.needs.permission,
    params: MemberParams,
    body: HandOver,
    returns: { 200: dataOf(MemberObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "handOver",
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS,
      present: async (_ctx, _id, { params }) => answer(params.id),
    },
  },
  async (ctx, { params: { id }, body: proof }) => {
    await handOver(await prove(ctx, handOver, proof), id);
    return ok(answer(id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
