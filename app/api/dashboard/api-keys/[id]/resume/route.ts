import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { prove, SECRET_FIELDS } from "#app/api/dashboard/prove.ts";
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
      secretFields: SECRET_FIELDS,
      present: async (ctx, _id, { params }) => ({ data: presentApiKey(await getApiKey(ctx, params.id)) }),
    },
  },
  async (ctx, { params, body: proof }) =>
    ok({ data: presentApiKey(await resumePausedApiKey(await prove(ctx, resumePausedApiKey, proof), params.id)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
