import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CablePlanObject, CablePlansQuery, listProducts, presentCablePlan } from "#services/vtu/index.ts";

export const GET = merchantRoute(
  {
    name: "listCablePlans",
    summary: "List cable plans",
    description: "The whole list. Send its `ETag` as `If-None-Match` to be told that it has not changed.",
    area: "vtu",
    permission: "vtu:read",
    revalidates: true,
    query: CablePlansQuery,
    returns: { 200: dataOf(z.array(CablePlanObject)) },
    errors: ["PROVIDER_UNAVAILABLE"],
  },
  async (ctx, { query }) => ok({ data: (await listProducts(ctx, { service: "cable", brand: query.provider_name })).map(presentCablePlan) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
