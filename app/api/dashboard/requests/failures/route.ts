import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { FailuresObject, groupFailures, presentFailures } from "#services/requests/index.ts";

export const GET = dashboardRoute(
  {
    name: "listFailures",
    summary: "Count the failed requests of the last day by error code and endpoint",
    permission: "requests:read",
    returns: { 200: dataOf(FailuresObject) },
    isPolled: true,
  },
  async (ctx) => ok({ data: presentFailures(await groupFailures(ctx)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
