import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardParams, CardTransactionObject, listCardTransactions, presentTransaction } from "#services/cards/index.ts";
import { PageQuery } from "#services/page-query.ts";
import { presentPagination } from "#services/pagination.ts";

export const GET = merchantRoute(
  {
    name: "listCardTransactions",
    summary: "List a card's spend",
    description: "What shops took and gave back; apart from the wallet's history.",
    area: "cards",
    permission: "cards:read",
    params: CardParams,
    query: PageQuery,
    returns: { 200: listOf(CardTransactionObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params, query }) => {
    const page = await listCardTransactions(ctx, params.id, query);
    return ok({ data: page.items.map(presentTransaction), pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
