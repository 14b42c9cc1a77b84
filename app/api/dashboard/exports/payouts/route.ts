import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListPayoutsQuery, listPayouts } from "#services/payouts/index.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportPayouts",
  list: "payouts",
  permission: "wallet:read",
  filters: ListPayoutsQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listPayouts(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
