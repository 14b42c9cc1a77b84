import { ok } from "#app/_http/answers.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BulkOrderTerms, confirmBulkOrder, presentBulkOrder } from "#services/bulk/index.ts";
import { bulkOrderAct } from "../../bulk-order-route.ts";

export const POST = dashboardRoute(
  {
    ...bulkOrderAct,
    permission: confirmBulkOrder.needs.permission,
    name: "confirmBulkOrder",
    summary: "Confirm a bulk order, once",
    body: BulkOrderTerms,
    errors: ["RESOURCE_NOT_FOUND", "PRICE_CHANGED", "DUPLICATE_PURCHASE", "PRODUCT_UNAVAILABLE", "INSUFFICIENT_BALANCE"],
  },
  async (ctx, { params, body }) => ok({ data: presentBulkOrder(await confirmBulkOrder(ctx, params.id, body)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
