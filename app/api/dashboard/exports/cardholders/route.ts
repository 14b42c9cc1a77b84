import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListCardholdersQuery, listCardholders } from "#services/cards/index.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportCardholders",
  list: "cardholders",
  area: "cards",
  permission: "cards:read",
  filters: ListCardholdersQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listCardholders(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
