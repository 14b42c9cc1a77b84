import { ok } from "#app/_http/answers.ts";
import { listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardOperationObject, CardParams, listOperations, presentOperation } from "#services/cards/index.ts";
import { PageQuery } from "#services/page-query.ts";
import { presentPagination } from "#services/pagination.ts";

export const GET = merchantRoute(
  {
    name: "listCardOperations",
    summary: "List what was asked of a card",
    description: "Each issuing, funding, unloading, freeze, unfreeze and termination, and what became of it.",
    area: "cards",
    permission: "cards:read",
    params: CardParams,
    query: PageQuery,
    returns: { 200: listOf(CardOperationObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params, query }) => {
    const page = await listOperations(ctx, params.id, query);
    return ok({ data: page.items.map(presentOperation), pagination: presentPagination(page) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
