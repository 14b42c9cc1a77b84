import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import type { MemberContext } from "#services/context.ts";
import { getTwoFactor, PasswordAndCode, presentTwoFactor, TwoFactorObject, turnOffTwoFactor } from "#services/users/index.ts";

const present = async (ctx: MemberContext) => ({ data: presentTwoFactor(await getTwoFactor(ctx)) });

export const POST = dashboardRoute(
  {
    name: "turnOffTwoFactor",
    summary: "Turn the authenticator app off, with the password and a code",
    permission: turnOffTwoFactor.needs.permission,
    allowedWhileSuspended: true,
    body: PasswordAndCode,
    returns: { 200: dataOf(TwoFactorObject) },
    replay: { newResourceId: () => "turnOffTwoFactor", secretFields: ["password", "code"], present },
  },
  async (ctx, { body }) => {
    await turnOffTwoFactor(ctx, body);
    return ok(await present(ctx));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
