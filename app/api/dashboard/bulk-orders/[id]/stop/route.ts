import { ok } from "#app/_http/answers.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { presentBulkOrder, stopBulkOrder } from "#services/bulk/index.ts";
import { bulkOrderAct } from "../../bulk-order-route.ts";

export const POST = dashboardRoute(
  {
    ...bulkOrderAct,
    permission: stopBulkOrder.needs.permission,
    name: "stopBulkOrder",
    summary: "Stop a bulk order",
    allowedWhileSuspended: true,
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentBulkOrder(await stopBulkOrder(ctx, params.id)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
