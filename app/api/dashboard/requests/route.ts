import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { presentPagination } from "#services/pagination.ts";
import { ListRequestsQuery, listRequests, presentRequest, RequestObject } from "#services/requests/index.ts";

export const GET = dashboardRoute(
  {
    name: "listRequests",
    summary: "List API requests of the last 30 days",
    permission: listRequests.needs.permission,
    query: ListRequestsQuery,
    returns: { 200: listOf(RequestObject) },
    isPolled: true,
  },
  async (ctx, { query }) => {
    const page = await listRequests(ctx, query);
    return ok({ data: page.items.map(presentRequest), pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
