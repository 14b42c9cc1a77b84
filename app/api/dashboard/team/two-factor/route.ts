import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { isoOrNull } from "#lib/time.ts";
import { RequireTwoFactor, requireTwoFactor, TwoFactorRule } from "#services/members/index.ts";
import { proveForTeam } from "../../prove.ts";

export const POST = dashboardRoute(
  {
    name: "requireTwoFactor",
    summary: "Ask the whole team for two-step sign-in, or let each member choose",
    permission: "team:write",
    body: RequireTwoFactor,
    returns: { 200: dataOf(TwoFactorRule) },
  },
  async (ctx, { body: { required, ...proof } }) => {
    await proveForTeam(ctx, proof);
    return ok({ data: { required_since: isoOrNull(await requireTwoFactor(ctx, required)) } });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
