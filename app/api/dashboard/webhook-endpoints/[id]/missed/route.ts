import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { countMissedBy, EndpointParams, MissedEvents, MissedQuery } from "#services/webhooks/index.ts";

export const GET = dashboardRoute(
  {
    name: "countMissedEvents",
    summary: "Count what sending again would send",
    permission: "webhooks:read",
    params: EndpointParams,
    query: MissedQuery,
    returns: { 200: dataOf(MissedEvents) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params: { id }, query: { since } }) => {
    const { missed, isExact } = await countMissedBy(ctx, id, { since, after: 0 });
    return ok({ data: { endpoint_id: id, missed, missed_is_exact: isExact } });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
