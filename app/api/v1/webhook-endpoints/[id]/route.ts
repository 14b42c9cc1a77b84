import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import {
  ChangeWebhookEndpoint,
  changeEndpoint,
  DeletedEndpoint,
  deleteEndpoint,
  EndpointParams,
  getEndpoint,
  presentEndpoint,
  WebhookEndpointObject,
} from "#services/webhooks/index.ts";

export const GET = merchantRoute(
  {
    name: "getWebhookEndpoint",
    summary: "Read a webhook endpoint",
    permission: "webhooks:read",
    params: EndpointParams,
    returns: { 200: dataOf(WebhookEndpointObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => ok({ data: presentEndpoint(await getEndpoint(ctx, params.id)) }),
);

export const PATCH = merchantRoute(
  {
    name: "changeWebhookEndpoint",
    summary: "Change, disable or enable a webhook endpoint",
    description: "What waits for a disabled endpoint becomes `failed`, and may be sent again once it is enabled.",
    permission: changeEndpoint.needs.permission,
    params: EndpointParams,
    body: ChangeWebhookEndpoint,
    returns: { 200: dataOf(WebhookEndpointObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params, body }) => {
    const changes = { url: body.url, eventTypes: body.event_types, status: body.status };
    return ok({ data: presentEndpoint(await changeEndpoint(ctx, params.id, changes)) });
  },
);

export const DELETE = merchantRoute(
  {
    name: "deleteWebhookEndpoint",
    summary: "Delete a webhook endpoint",
    description: "Its deliveries stay to be read; nothing more is sent.",
    permission: deleteEndpoint.needs.permission,
    params: EndpointParams,
    returns: { 200: dataOf(DeletedEndpoint) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params }) => {
    await deleteEndpoint(ctx, params.id);
    return ok({ data: { id: params.id, deleted: true } });
  },
);

export const { POST, PUT, OPTIONS } = refuseOtherThan("GET", "PATCH", "DELETE");
