import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { proveForKeys } from "#app/api/dashboard/prove.ts";
import { ApiKeyObject, ApiKeyParams, ChangeApiKey, changeApiKey, presentApiKey } from "#services/api-keys/index.ts";

export const PATCH = dashboardRoute(
  {
    name: "changeApiKey",
    summary: "Change the name, permissions or addresses of a key pair",
    permission: "keys:write",
    params: ApiKeyParams,
    body: ChangeApiKey,
    returns: { 200: dataOf(ApiKeyObject) },
    errors: ["RESOURCE_NOT_FOUND", "VERSION_CONFLICT"],
  },
  async (ctx, { params, body: { version, name, permissions, allowed_ips: allowedIps, ...proof } }) => {
    // Another name opens nothing.
    const proven = permissions || allowedIps ? await proveForKeys(ctx, proof) : ctx;
    return ok({ data: presentApiKey(await changeApiKey(proven, params.id, { version, name, permissions, allowedIps })) });
  },
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
