import { accepted } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { EndpointParams, getDelivery, presentDelivery, sendTestEvent, WebhookDeliveryObject } from "#services/webhooks/index.ts";

export const POST = merchantRoute(
  {
    name: "sendTestEvent",
    summary: "Send a test event",
    description:
      "A `webhook.test` event, signed like any other, in no feed (sequence 0), sent once, also to a disabled endpoint. What comes of it changes nothing: not even 410 disables. Read the delivery to see it.",
    permission: sendTestEvent.needs.permission,
    params: EndpointParams,
    returns: { 202: dataOf(WebhookDeliveryObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => newId("webhookDelivery"),
      present: async (ctx, id) => ({ data: presentDelivery(await getDelivery(ctx, id)) }),
    },
  },
  async (ctx, { params }) => accepted({ data: presentDelivery(await sendTestEvent(ctx, params.id)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
