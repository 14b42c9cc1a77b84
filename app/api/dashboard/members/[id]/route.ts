import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ChangeRole, changeRole, MemberObject, MemberParams } from "#services/members/index.ts";
import { prove } from "../../prove.ts";

export const PATCH = dashboardRoute(
  {
    name: "changeRole",
    summary: "Give a member another role",
    permission: changeRole.needs.permission,
    params: MemberParams,
    body: ChangeRole,
    returns: { 200: dataOf(MemberObject) },
    errors: ["RESOURCE_NOT_FOUND", "VERSION_CONFLICT"],
  },
  async (ctx, { params: { id }, body: { role, from, ...proof } }) => {
    await changeRole(await prove(ctx, changeRole, proof), id, role, from);
    return ok({ data: { id, role } });
  },
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
