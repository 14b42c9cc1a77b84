import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { proveForKey } from "#app/api/dashboard/api-keys/prove-for-key.ts";
import { ApiKeyObject, ApiKeyParams, ChangeApiKey, changeApiKey, presentApiKey, renameApiKey } from "#services/api-keys/index.ts";

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
    const key =
      permissions || allowedIps
        ? await changeApiKey(await proveForKey(ctx, changeApiKey, proof, permissions ?? []), params.id, {
            version,
            name,
            permissions,
            allowedIps,
          })
        : await renameApiKey(ctx, params.id, { version, name });
    return ok({ data: presentApiKey(key) });
  },
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
