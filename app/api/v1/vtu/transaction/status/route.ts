import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { getPurchase, PurchaseObject, presentPurchase, ReferenceQuery } from "#services/vtu/index.ts";

export const GET = merchantRoute(
  {
    name: "getPurchase",
    summary: "Read a purchase",
    description:
      "As it is now, with its tokens or pins, for ever. A member of the dashboard sees them if the role may, and the audit notes it.",
    area: "vtu",
    permission: "vtu:read",
    query: ReferenceQuery,
    returns: { 200: dataOf(PurchaseObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { query }) => ok({ data: presentPurchase(await getPurchase(ctx, query.reference)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
