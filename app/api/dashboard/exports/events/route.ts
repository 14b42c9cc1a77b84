import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListEventsQuery, listNewestEvents } from "#services/events/index.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportEvents",
  list: "events",
  permission: listNewestEvents.needs.permission,
  filters: ListEventsQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listNewestEvents(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
