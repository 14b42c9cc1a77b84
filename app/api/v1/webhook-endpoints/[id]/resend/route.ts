import { accepted } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import type { MerchantContext } from "#services/context.ts";
import { countPending, EndpointParams, ResendAnswer, ResendSince, resendFailedSince } from "#services/webhooks/index.ts";

const answer = async (ctx: MerchantContext, id: string) => ({ data: { endpoint_id: id, pending: await countPending(ctx, id) } });

export const POST = merchantRoute(
  {
    name: "resendFailedDeliveries",
    summary: "Send again what an endpoint has missed",
    description:
      "Everything since a time that failed, waits for a retry, or happened while the endpoint was disabled, by the event types that it has now. At most 10,000 at a time, oldest first: ask again once they are delivered.",
    permission: "webhooks:write",
    params: EndpointParams,
    body: ResendSince,
    returns: { 202: dataOf(ResendAnswer) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: { newResourceId: () => newId("request"), present: (ctx, _id, { params }) => answer(ctx, params.id) },
  },
  async (ctx, { params, body }) => {
    await resendFailedSince(ctx, params.id, body.since);
    return accepted(await answer(ctx, params.id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
