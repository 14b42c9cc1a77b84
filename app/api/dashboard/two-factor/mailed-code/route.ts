import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { MailedCode, mailFirstFactorCode, RepeatedPassword } from "#services/users/index.ts";

const MAILED = { data: { mailed: true as const } };

export const POST = dashboardRoute(
  {
    name: "mailFirstFactorCode",
    summary: "Mail oneself the code that the first second step needs, after repeating the password",
    permission: mailFirstFactorCode.needs.permission,
    allowedWhileSuspended: true,
    body: RepeatedPassword,
    returns: { 200: dataOf(MailedCode) },
    replay: { newResourceId: () => "mailFirstFactorCode", secretFields: ["password"], present: async () => MAILED },
  },
  async (ctx, { body }) => {
    await mailFirstFactorCode(ctx, body);
    return ok(MAILED);
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
