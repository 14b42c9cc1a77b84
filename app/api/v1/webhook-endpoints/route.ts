import { created, ok } from "#app/_http/answers.ts";
import { dataOf, listOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { PageQuery } from "#services/page-query.ts";
import { presentPagination } from "#services/pagination.ts";
import {
  CreateWebhookEndpoint,
  createEndpoint,
  getEndpoint,
  listEndpoints,
  presentEndpoint,
  WebhookEndpointObject,
} from "#services/webhooks/index.ts";

export const POST = merchantRoute(
  {
    name: "createWebhookEndpoint",
    summary: "Register a webhook endpoint",
    description: "Events are sent there as they happen. `secret` verifies them (Standard Webhooks 1.0) and is shown this once.",
    permission: createEndpoint.needs.permission,
    body: CreateWebhookEndpoint,
    returns: { 201: dataOf(WebhookEndpointObject) },
    replay: {
      newResourceId: () => newId("webhookEndpoint"),
      present: async (ctx, id) => ({ data: presentEndpoint(await getEndpoint(ctx, id)) }),
    },
  },
  async (ctx, { body }) => {
    const endpoint = await createEndpoint(ctx, { url: body.url, eventTypes: body.event_types ?? null });
    return created({ data: presentEndpoint(endpoint) });
  },
);

export const GET = merchantRoute(
  {
    name: "listWebhookEndpoints",
    summary: "List webhook endpoints",
    permission: "webhooks:read",
    query: PageQuery,
    returns: { 200: listOf(WebhookEndpointObject) },
  },
  async (ctx, { query }) => {
    const page = await listEndpoints(ctx, query);
    return ok({ data: page.items.map(presentEndpoint), pagination: presentPagination(page) });
  },
);

export const { PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET", "POST");
