import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { EventObject, ListEventsQuery, listNewestEvents, presentEvent } from "#services/events/index.ts";
import { presentPagination } from "#services/pagination.ts";

export const GET = dashboardRoute(
  {
    name: "listNewestEvents",
    summary: "List events, newest first",
    permission: listNewestEvents.needs.permission,
    query: ListEventsQuery,
    returns: { 200: listOf(EventObject) },
    isPolled: true,
  },
  async (ctx, { query }) => {
    const page = await listNewestEvents(ctx, query);
    return ok({ data: page.items.map(presentEvent), pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
