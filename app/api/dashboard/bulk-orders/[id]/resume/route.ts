import { ok } from "#app/_http/answers.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BulkOrderTerms, presentBulkOrder, resumeBulkOrder } from "#services/bulk/index.ts";
import { bulkOrderAct } from "../../bulk-order-route.ts";

export const POST = dashboardRoute(
  {
    ...bulkOrderAct,
    permission: resumeBulkOrder.needs.permission,
    name: "resumeBulkOrder",
    summary: "Go on with a paused bulk order",
    body: BulkOrderTerms,
    errors: ["RESOURCE_NOT_FOUND", "PRICE_CHANGED", "DUPLICATE_PURCHASE", "PRODUCT_UNAVAILABLE", "INSUFFICIENT_BALANCE"],
  },
  async (ctx, { params, body }) => ok({ data: presentBulkOrder(await resumeBulkOrder(ctx, params.id, body)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
