import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { proveForKey } from "#app/api/dashboard/api-keys/prove-for-key.ts";
import {
  ApiKeyObject,
  ApiKeyParams,
  ChangeApiKey,
  changeApiKey,
  getApiKey,
  presentApiKey,
  renameApiKey,
} from "#services/api-keys/index.ts";

export const PATCH = dashboardRoute(
  {
    name: "changeApiKey",
    summary: "Change the name, permissions or addresses of a key pair",
    permission: changeApiKey.needs.permission,
    params: ApiKeyParams,
    body: ChangeApiKey,
    returns: { 200: dataOf(ApiKeyObject) },
    errors: ["RESOURCE_NOT_FOUND", "VERSION_CONFLICT"],
  },
  async (ctx, { params, body: { version, name, permissions, allowed_ips: allowedIps, ...proof } }) => {
    if (!permissions && !allowedIps) return ok({ data: presentApiKey(await renameApiKey(ctx, params.id, { version, name })) });
    // The addresses of a key count as its permissions do: a secret that leaked must not work from elsewhere.
    const afterwards = permissions ?? (await getApiKey(ctx, params.id)).permissions;
    const proven = await proveForKey(ctx, changeApiKey, proof, afterwards);
    return ok({ data: presentApiKey(await changeApiKey(proven, params.id, { version, name, permissions, allowedIps })) });
  },
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
