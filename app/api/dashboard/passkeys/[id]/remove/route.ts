import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { PasskeyParams, ProofOfChange, RemovedPasskey, removePasskey } from "#services/users/index.ts";

const removed = (id: string) => ({ data: { id, removed: true as const } });

export const POST = dashboardRoute(
  {
    name: "removePasskey",
    summary: "Remove a passkey, with the password and a code of the app or a recovery code, or by a passkey",
    permission: removePasskey.needs.permission,
    // A POST, because it has a password.
    allowedWhileSuspended: true,
    params: PasskeyParams,
    body: ProofOfChange,
    returns: { 200: dataOf(RemovedPasskey) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "removePasskey",
      secretFields: ["password", "code", "challenge", "response"],
      present: async (_ctx, _id, { params }) => removed(params.id),
    },
  },
  async (ctx, { params, body }) => {
    await removePasskey(ctx, params.id, body);
    return ok(removed(params.id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
