import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ApiKeyObject, ApiKeyParams, getApiKey, presentApiKey, revokeApiKey } from "#services/api-keys/index.ts";

export const POST = dashboardRoute(
  {
    name: "revokeApiKey",
    summary: "Revoke a key pair",
    description: "Every process refuses it within a second. Repeating it changes nothing.",
    permission: revokeApiKey.needs.permission,
    allowedWhileSuspended: true,
    params: ApiKeyParams,
    returns: { 200: dataOf(ApiKeyObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    // Revoking is the same however often it happens.
    replay: {
      newResourceId: () => "revokeApiKey",
      afterLostAnswer: "answers",
      present: async (ctx, _id, { params }) => ({ data: presentApiKey(await getApiKey(ctx, params.id)) }),
    },
  },
  async (ctx, { params }) => ok({ data: presentApiKey(await revokeApiKey(ctx, params.id)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
