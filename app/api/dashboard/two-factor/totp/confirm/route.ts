import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { confirmTotp, FirstCode, RecoveryCodesObject } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "confirmTotp",
    summary: "Turn an authenticator app on by its first code",
    permission: confirmTotp.needs.permission,
    allowedWhileSuspended: true,
    body: FirstCode,
    returns: { 200: dataOf(RecoveryCodesObject) },
    // Recovery codes are shown once and stored as hashes, so a replay has none.
    replay: { newResourceId: () => "confirmTotp", secretFields: ["code"], present: async () => ({ data: { recovery_codes: null } }) },
  },
  async (ctx, { body }) => ok({ data: { recovery_codes: await confirmTotp(ctx, body.code) } }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
