import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { settings } from "#lib/env.ts";
import { ListPaymentLinksQuery, listPaymentLinks, PaymentLinkList, presentPaymentLink } from "#services/checkout/index.ts";
import { presentPagination } from "#services/pagination.ts";

export const GET = merchantRoute(
  {
    name: "listPaymentLinks",
    summary: "List payment links",
    area: "checkout",
    permission: "checkout:read",
    query: ListPaymentLinksQuery,
    returns: { 200: PaymentLinkList },
  },
  async (ctx, { query }) => {
    const page = await listPaymentLinks(ctx, query);
    const data = page.items.map((link) => presentPaymentLink(link, settings().BASE_URL));
    return ok({ success: true, data, pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
