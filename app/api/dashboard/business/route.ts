import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BusinessNameObject, RenameBusiness, renameBusiness } from "#services/merchants/index.ts";

export const PATCH = dashboardRoute(
  {
    name: "renameBusiness",
    summary: "Give the business another name",
    description: "Where a live area is on, the new name waits for an operator, because payers see it at their bank.",
    permission: renameBusiness.needs.permission,
    body: RenameBusiness,
    returns: { 200: dataOf(BusinessNameObject) },
    errors: ["VERSION_CONFLICT"],
  },
  async (ctx, { body: { from_requested: fromRequested, ...names } }) => {
    const { name, requestedName } = await renameBusiness({ ...ctx, businessId: ctx.merchant.businessId }, { ...names, fromRequested });
    return ok({ data: { name, requested_name: requestedName } });
  },
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
