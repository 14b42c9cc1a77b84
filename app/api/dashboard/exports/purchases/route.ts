import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListPurchasesQuery, listPurchases } from "#services/vtu/index.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportPurchases",
  list: "purchases",
  area: "vtu",
  permission: "vtu:read",
  filters: ListPurchasesQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listPurchases(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
