import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { presentPagination } from "#services/pagination.ts";
import { ListPurchasesQuery, listPurchases, PurchaseObject, presentPurchase } from "#services/vtu/index.ts";

export const GET = merchantRoute(
  {
    name: "listPurchases",
    summary: "List purchases",
    description:
      "Newest first, with their tokens and pins. For a member of the dashboard without them: `has_token` says whether there are any.",
    area: "vtu",
    permission: "vtu:read",
    query: ListPurchasesQuery,
    returns: { 200: listOf(PurchaseObject) },
  },
  async (ctx, { query }) => {
    const page = await listPurchases(ctx, query);
    return ok({ data: page.items.map(presentPurchase), pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
