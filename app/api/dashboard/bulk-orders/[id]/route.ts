import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BulkOrderObject, BulkOrderParams, getBulkOrder, presentBulkOrder } from "#services/bulk/index.ts";

export const GET = dashboardRoute(
  {
    name: "getBulkOrder",
    summary: "Read a bulk order and its progress",
    area: "vtu",
    permission: "vtu:read",
    params: BulkOrderParams,
    returns: { 200: dataOf(BulkOrderObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentBulkOrder(await getBulkOrder(ctx, params.id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
