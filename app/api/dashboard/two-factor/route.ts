import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { getTwoFactor, presentTwoFactor, TwoFactorObject } from "#services/users/index.ts";

export const GET = dashboardRoute(
  {
    name: "getTwoFactor",
    summary: "Read one's second factors",
    permission: "self",
    returns: { 200: dataOf(TwoFactorObject) },
  },
  async (ctx) => ok({ data: presentTwoFactor(await getTwoFactor(ctx)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
