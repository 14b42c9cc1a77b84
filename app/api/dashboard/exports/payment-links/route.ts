import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListPaymentLinksQuery, listPaymentLinks } from "#services/checkout/index.ts";
import { nairaText } from "#services/fields.ts";
import { columns } from "./columns.ts";

export const GET = exportRoute({
  name: "exportPaymentLinks",
  list: "payment-links",
  area: "checkout",
  permission: "checkout:read",
  filters: ListPaymentLinksQuery.omit({ limit: true, cursor: true }).extend({
    min_amount: nairaText.optional(),
    max_amount: nairaText.optional(),
  }),
  columns,
  pages: (ctx, filters) => pagesOf((page) => listPaymentLinks(ctx, { ...filters, ...page })),
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
