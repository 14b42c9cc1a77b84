import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListAuditQuery, listAudit } from "#services/audit/index.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportAudit",
  list: "audit",
  permission: listAudit.needs.permission,
  filters: ListAuditQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listAudit(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
