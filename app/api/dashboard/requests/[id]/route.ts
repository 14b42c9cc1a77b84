import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { getRequest, presentRequest, RequestObject, RequestParams } from "#services/requests/index.ts";

export const GET = dashboardRoute(
  {
    name: "getRequest",
    summary: "Get an API request of the last 30 days",
    permission: "requests:read",
    params: RequestParams,
    returns: { 200: dataOf(RequestObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentRequest(await getRequest(ctx, params.id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
