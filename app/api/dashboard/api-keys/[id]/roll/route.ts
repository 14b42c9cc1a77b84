import { created } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { proveForKey } from "#app/api/dashboard/api-keys/prove-for-key.ts";
import { SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { newId } from "#lib/ids.ts";
import { ApiKeyParams, getApiKey, presentApiKey, RollApiKey, RolledApiKey, rollApiKey } from "#services/api-keys/index.ts";

export const POST = dashboardRoute(
  {
    name: "rollApiKey",
    summary: "Replace a key pair by a new one",
    description: "`secret_key` is shown this once. The old pair works until the overlap ends.",
    permission: rollApiKey.needs.permission,
    params: ApiKeyParams,
    body: RollApiKey,
    returns: { 201: dataOf(RolledApiKey) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => newId("apiKey"),
      afterLostAnswer: "finds",
      secretFields: SECRET_FIELDS_WITH_CODE,
      present: async (ctx, id, { params }) => ({
        data: { ...presentApiKey(await getApiKey(ctx, id)), secret_key: null, old: presentApiKey(await getApiKey(ctx, params.id)) },
      }),
    },
  },
  async (ctx, { params, body: { overlap_hours: overlapHours, ...proof } }) => {
    const { permissions } = await getApiKey(ctx, params.id);
    const proven = await proveForKey(ctx, rollApiKey, proof, permissions);
    const { key, old } = await rollApiKey(proven, params.id, overlapHours);
    return created({ data: { ...presentApiKey(key), old: presentApiKey(old) } });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
