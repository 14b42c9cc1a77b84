import { ok } from "#app/_http/answers.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { cancelBulkOrder, presentBulkOrder } from "#services/bulk/index.ts";
import { bulkOrderAct } from "../../bulk-order-route.ts";

export const POST = dashboardRoute(
  {
    ...bulkOrderAct,
    permission: cancelBulkOrder.needs.permission,
    name: "cancelBulkOrder",
    summary: "Cancel what a bulk order has not bought",
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentBulkOrder(await cancelBulkOrder(ctx, params.id)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
