import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { HOUR_MS } from "#lib/time.ts";
import {
  EndpointParams,
  getEndpoint,
  presentEndpoint,
  RollWebhookSecret,
  rollSecret,
  WebhookEndpointObject,
} from "#services/webhooks/index.ts";

export const POST = merchantRoute(
  {
    name: "rollWebhookSecret",
    summary: "Give a webhook endpoint a new secret",
    description:
      "The new one is shown this once, and not by a replay: whoever lost it rolls again. For `overlap_hours` deliveries are signed with both, so that you can change over without losing any.",
    permission: rollSecret.needs.permission,
    params: EndpointParams,
    body: RollWebhookSecret,
    returns: { 200: dataOf(WebhookEndpointObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => newId("webhookSecret"),
      present: async (ctx, _secretId, { params }) => ({ data: presentEndpoint(await getEndpoint(ctx, params.id)) }),
    },
  },
  async (ctx, { params, body }) => ok({ data: presentEndpoint(await rollSecret(ctx, params.id, body.overlap_hours * HOUR_MS)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
