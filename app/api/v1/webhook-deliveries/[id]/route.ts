import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { DeliveryParams, getDeliveryDetail, presentDeliveryDetail, WebhookDeliveryDetail } from "#services/webhooks/index.ts";

export const GET = merchantRoute(
  {
    name: "getWebhookDelivery",
    summary: "Read a webhook delivery",
    description: "With what is sent and every attempt of the last 30 days: request, answer, duration.",
    permission: getDeliveryDetail.needs.permission,
    params: DeliveryParams,
    returns: { 200: dataOf(WebhookDeliveryDetail) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentDeliveryDetail(await getDeliveryDetail(ctx, params.id)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
