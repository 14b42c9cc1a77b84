import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { EventObject, EventParams, getEvent, presentEvent } from "#services/events/index.ts";

export const GET = dashboardRoute(
  {
    name: "getEvent",
    summary: "Get an event",
    permission: "events:read",
    params: EventParams,
    returns: { 200: dataOf(EventObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentEvent(await getEvent(ctx, params.id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
