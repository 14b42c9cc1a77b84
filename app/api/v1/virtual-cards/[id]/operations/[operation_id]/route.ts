import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { CardOperationObject, getOperationOf, OperationParams, presentOperation } from "#services/cards/index.ts";

export const GET = merchantRoute(
  {
    name: "getCardOperation",
    summary: "Read what became of an operation",
    description: "After an answer of 202: ask until it is no longer `processing`, or wait for the event.",
    area: "cards",
    permission: "cards:read",
    params: OperationParams,
    returns: { 200: dataOf(CardOperationObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentOperation(await getOperationOf(ctx, params.id, params.operation_id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
