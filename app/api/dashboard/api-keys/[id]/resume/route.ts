import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { proveForKey } from "#app/api/dashboard/api-keys/prove-for-key.ts";
import { SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { ApiKeyObject, ApiKeyParams, getApiKey, presentApiKey, ResumeApiKey, resumePausedApiKey } from "#services/api-keys/index.ts";

export const POST = dashboardRoute(
  {
    name: "resumeApiKey",
    summary: "Let a paused key pair work again",
    permission: resumePausedApiKey.needs.permission,
    params: ApiKeyParams,
    body: ResumeApiKey,
    returns: { 200: dataOf(ApiKeyObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "resumeApiKey",
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS_WITH_CODE,
      present: async (ctx, _id, { params }) => ({ data: presentApiKey(await getApiKey(ctx, params.id)) }),
    },
  },
  async (ctx, { params, body: proof }) => {
    const { permissions } = await getApiKey(ctx, params.id);
    const proven = await proveForKey(ctx, resumePausedApiKey, proof, permissions);
    return ok({ data: presentApiKey(await resumePausedApiKey(proven, params.id)) });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
