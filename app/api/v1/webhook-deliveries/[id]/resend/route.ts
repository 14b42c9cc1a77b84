import { accepted } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { DeliveryParams, getDelivery, presentDelivery, resendDelivery, WebhookDeliveryObject } from "#services/webhooks/index.ts";

export const POST = merchantRoute(
  {
    name: "resendWebhookDelivery",
    summary: "Send a delivery again",
    description: "Whatever its status. It keeps its `webhook-id` and starts the retry table again.",
    permission: resendDelivery.needs.permission,
    params: DeliveryParams,
    returns: { 202: dataOf(WebhookDeliveryObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => newId("request"),
      present: async (ctx, _id, { params }) => ({ data: presentDelivery(await getDelivery(ctx, params.id)) }),
    },
  },
  async (ctx, { params }) => accepted({ data: presentDelivery(await resendDelivery(ctx, params.id)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
