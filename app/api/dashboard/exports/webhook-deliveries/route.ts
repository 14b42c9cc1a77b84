import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { toDeliveryRow } from "#app/(dashboard)/b/[business]/[mode]/developers/deliveries/to-view.ts";
import { allEndpoints } from "#app/(dashboard)/b/[business]/[mode]/developers/webhooks/all-endpoints.ts";
import type { MemberContext } from "#services/context.ts";
import { ListDeliveriesQuery, listDeliveries } from "#services/webhooks/index.ts";
import { columns, type ListedDelivery } from "./columns.ts";

const Filters = ListDeliveriesQuery.omit({ limit: true, cursor: true });

export const GET = exportRoute({
  name: "exportWebhookDeliveries",
  list: "webhook-deliveries",
  permission: listDeliveries.needs.permission,
  filters: Filters,
  columns,
  pages: pagesOfDeliveries,
});

async function* pagesOfDeliveries(ctx: MemberContext, filters: ReturnType<typeof Filters.parse>): AsyncGenerator<ListedDelivery[], void> {
  for await (const items of pagesOf((page) => listDeliveries(ctx, { ...filters, ...page }))) {
    // The endpoints are read again for each page, because one may be created or deleted while a long download runs.
    const endpoints = await allEndpoints(ctx);
    yield items.map((delivery) => ({ delivery, row: toDeliveryRow(delivery, "", endpoints, new Date()) }));
  }
}

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
