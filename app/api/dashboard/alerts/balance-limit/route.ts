import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { toMajorNumber } from "#lib/money.ts";
import { BalanceLimit, BalanceLimitObject, setBalanceLimit } from "#services/ledger/index.ts";

export const PATCH = dashboardRoute(
  {
    name: "setBalanceLimit",
    summary: "Choose the balance below which there is an alert",
    permission: setBalanceLimit.needs.permission,
    body: BalanceLimit,
    returns: { 200: dataOf(BalanceLimitObject) },
    errors: ["VERSION_CONFLICT"],
  },
  async (ctx, { body: { amount, from } }) => {
    const limit = await setBalanceLimit(ctx, amount, from);
    return ok({ data: { amount: limit && toMajorNumber(limit) } });
  },
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
