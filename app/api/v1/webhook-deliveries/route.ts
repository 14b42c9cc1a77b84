import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { presentPagination } from "#services/pagination.ts";
import { ListDeliveriesQuery, listDeliveries, presentDelivery, WebhookDeliveryObject } from "#services/webhooks/index.ts";

export const GET = merchantRoute(
  {
    name: "listWebhookDeliveries",
    summary: "List webhook deliveries",
    description: "One for each event and endpoint, newest first.",
    permission: listDeliveries.needs.permission,
    query: ListDeliveriesQuery,
    returns: { 200: listOf(WebhookDeliveryObject) },
  },
  async (ctx, { query }) => {
    const page = await listDeliveries(ctx, query);
    return ok({ data: page.items.map(presentDelivery), pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
