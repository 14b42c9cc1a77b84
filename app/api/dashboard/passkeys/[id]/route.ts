import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { PasskeyName, PasskeyObject, PasskeyParams, presentPasskey, renamePasskey } from "#services/users/index.ts";

export const PATCH = dashboardRoute(
  {
    name: "renamePasskey",
    summary: "Give a passkey another name",
    permission: renamePasskey.needs.permission,
    allowedWhileSuspended: true,
    params: PasskeyParams,
    body: PasskeyName,
    returns: { 200: dataOf(PasskeyObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { params, body }) => ok({ data: presentPasskey(await renamePasskey(ctx, params.id, body.name)) }),
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
