import { created } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { finishPasskeyRegistration, getPasskey, NewPasskey, NewPasskeyObject, presentPasskey } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "addPasskey",
    summary: "Add the passkey that a browser made",
    permission: finishPasskeyRegistration.needs.permission,
    allowedWhileSuspended: true,
    body: NewPasskey,
    returns: { 201: dataOf(NewPasskeyObject) },
    // Recovery codes are shown once and stored as hashes, so a replay has none.
    replay: {
      newResourceId: () => newId("passkey"),
      present: async (ctx, id) => ({ data: { ...presentPasskey(await getPasskey(ctx, id)), recovery_codes: null } }),
    },
  },
  async (ctx, { body }) => {
    const { passkey, recoveryCodes } = await finishPasskeyRegistration(ctx, body);
    return created({ data: { ...presentPasskey(passkey), recovery_codes: recoveryCodes } });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
