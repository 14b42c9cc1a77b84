import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BulkOrderParams, BulkRowObject, ListBulkRowsQuery, listBulkRows, presentBulkRow } from "#services/bulk/index.ts";

export const GET = dashboardRoute(
  {
    name: "listBulkRows",
    summary: "List the rows of a bulk order in the file's order",
    area: "vtu",
    permission: "vtu:read",
    params: BulkOrderParams,
    query: ListBulkRowsQuery,
    returns: { 200: z.object({ data: z.array(BulkRowObject), next_after: z.number().int().nullable() }) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params, query }) => {
    const { rows, nextAfter } = await listBulkRows(ctx, params.id, query);
    return ok({ data: rows.map(presentBulkRow), next_after: nextAfter });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
