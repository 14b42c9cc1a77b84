import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { HandOver, handOver, MemberObject, MemberParams } from "#services/members/index.ts";
import { proveForTeam } from "../../../prove.ts";

export const POST = dashboardRoute(
  {
    name: "handOver",
    summary: "Make another member an owner, and oneself an admin",
    permission: "team:write",
    params: MemberParams,
    body: HandOver,
    returns: { 200: dataOf(MemberObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params: { id }, body: proof }) => {
    await proveForTeam(ctx, proof);
    await handOver(ctx, id);
    return ok({ data: { id, role: "owner" as const } });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
