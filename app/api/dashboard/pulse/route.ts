import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { PulseObject, presentPulse, readPulse } from "#services/pulse/index.ts";

export const GET = dashboardRoute(
  {
    name: "readPulse",
    summary: "Read whether anything changed, for a page that is open",
    permission: "browse",
    isPolled: true,
    returns: { 200: dataOf(PulseObject) },
  },
  async (ctx) => ok({ data: presentPulse(await readPulse(ctx)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
