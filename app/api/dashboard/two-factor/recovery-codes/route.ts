import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { PasswordAndCode, RecoveryCodesObject, renewRecoveryCodes } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "renewRecoveryCodes",
    summary: "Make ten new recovery codes in place of the old ones",
    permission: renewRecoveryCodes.needs.permission,
    allowedWhileSuspended: true,
    body: PasswordAndCode,
    returns: { 200: dataOf(RecoveryCodesObject) },
    // Recovery codes are shown once and stored as hashes, so a replay has none.
    replay: {
      newResourceId: () => "renewRecoveryCodes",
      secretFields: ["password", "code"],
      present: async () => ({ data: { recovery_codes: null } }),
    },
  },
  async (ctx, { body }) => ok({ data: { recovery_codes: await renewRecoveryCodes(ctx, body) } }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
