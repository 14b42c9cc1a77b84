import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ExamTypeObject, listProducts, presentExamType } from "#services/vtu/index.ts";

export const GET = merchantRoute(
  {
    name: "listExamTypes",
    summary: "List exam types",
    description: "The whole list. Send its `ETag` as `If-None-Match` to be told that it has not changed.",
    area: "vtu",
    permission: "vtu:read",
    revalidates: true,
    returns: { 200: dataOf(z.array(ExamTypeObject)) },
    errors: ["PROVIDER_UNAVAILABLE"],
  },
  async (ctx) => ok({ data: (await listProducts(ctx, { service: "exam" })).map(presentExamType) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
