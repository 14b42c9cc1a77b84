import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { DataPlanObject, DataPlansQuery, listProducts, presentDataPlan } from "#services/vtu/index.ts";

export const GET = merchantRoute(
  {
    name: "listDataPlans",
    summary: "List data plans",
    description: "The whole list, cheapest first within a network. Send its `ETag` as `If-None-Match` to be told that it has not changed.",
    area: "vtu",
    permission: "vtu:read",
    revalidates: true,
    query: DataPlansQuery,
    returns: { 200: dataOf(z.array(DataPlanObject)) },
    errors: ["PROVIDER_UNAVAILABLE"],
  },
  async (ctx, { query }) => ok({ data: (await listProducts(ctx, { service: "data", brand: query.network })).map(presentDataPlan) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
