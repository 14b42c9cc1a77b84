import { created } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { proveForKey } from "#app/api/dashboard/api-keys/prove-for-key.ts";
import { SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { newId } from "#lib/ids.ts";
import { ApiKeyObject, CreateApiKey, createApiKey, getApiKey, presentApiKey } from "#services/api-keys/index.ts";

export const POST = dashboardRoute(
  {
    name: "createApiKey",
    summary: "Create a key pair",
    description: "`secret_key` is shown this once. A replay does not have it: roll the key.",
    permission: createApiKey.needs.permission,
    body: CreateApiKey,
    returns: { 201: dataOf(ApiKeyObject) },
    replay: {
      newResourceId: () => newId("apiKey"),
      afterLostAnswer: "finds",
      secretFields: SECRET_FIELDS_WITH_CODE,
      present: async (ctx, id) => ({ data: { ...presentApiKey(await getApiKey(ctx, id)), secret_key: null } }),
    },
  },
  async (ctx, { body: { name, permissions, allowed_ips: allowedIps, expires_at: expiresAt, ...proof } }) => {
    const proven = await proveForKey(ctx, createApiKey, proof, permissions ?? []);
    return created({ data: presentApiKey(await createApiKey(proven, { name, permissions, allowedIps, expiresAt })) });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
