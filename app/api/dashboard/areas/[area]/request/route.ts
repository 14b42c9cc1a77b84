import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { AreaParams, AreaRequestObject, findAreaState, presentAreaState, requestArea } from "#services/merchants/index.ts";

export const POST = dashboardRoute(
  {
    name: "requestArea",
    summary: "Ask operators to switch an area on",
    // The declaration names no area, because the requested area is still off and would be refused.
    permission: requestArea.needs.permission,
    params: AreaParams,
    returns: { 200: dataOf(AreaRequestObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => newId("areaRequest"),
      afterLostAnswer: "answers",
      present: async (ctx, _id, { params }) => ({ data: presentAreaState(await findAreaState(ctx, params.area)) }),
    },
  },
  async (ctx, { params }) => ok({ data: presentAreaState(await requestArea(ctx, params.area)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
