import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListRequestsQuery, listRequests } from "#services/requests/index.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportRequests",
  list: "requests",
  permission: listRequests.needs.permission,
  filters: ListRequestsQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listRequests(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
