import { accepted } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import type { MerchantContext } from "#services/context.ts";
import {
  countLeft,
  countPending,
  EndpointParams,
  findResent,
  ResendAnswer,
  type ResendRequest,
  ResendSince,
  type Resent,
  resendFailedSince,
} from "#services/webhooks/index.ts";

async function answer(ctx: MerchantContext, id: string, request: ResendRequest, resent: Resent) {
  const { lastSequence, left, isExact } = await countLeft(ctx, id, request, resent);
  const { pending } = await countPending(ctx, id);
  return { data: { endpoint_id: id, sent: resent.sent, last_sequence: lastSequence, left, left_is_exact: isExact, pending } };
}

export const POST = merchantRoute(
  {
    name: "resendFailedDeliveries",
    summary: "Send again what an endpoint has missed",
    description:
      "Everything since a time that failed, waits for a retry, or happened while the endpoint was disabled, by the event types that it has now. At most 10,000 at a time, oldest first, found among at most 200,000 events: while `left` is not 0, send `last_sequence` as `after` to go on.",
    permission: resendFailedSince.needs.permission,
    params: EndpointParams,
    body: ResendSince,
    returns: { 202: dataOf(ResendAnswer) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => newId("request"),
      present: async (ctx, resendId, { params: { id }, body }) => answer(ctx, id, body, await findResent(ctx, id, body, resendId)),
    },
  },
  async (ctx, { params, body }) => {
    const resent = await resendFailedSince(ctx, params.id, body);
    return accepted(await answer(ctx, params.id, body, resent));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
