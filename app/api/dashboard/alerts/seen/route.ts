import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { markAlertsSeen, SeenAlerts } from "#services/alerts/index.ts";
import type { MemberContext } from "#services/context.ts";

const answer = async (ctx: MemberContext, upTo: string) => ({ data: { up_to: await markAlertsSeen(ctx, upTo) } });

export const POST = dashboardRoute(
  {
    name: "markAlertsSeen",
    summary: "Note that one has seen the alerts up to one of them",
    permission: markAlertsSeen.needs.permission,
    // It changes nothing of the merchant's.
    allowedWhileSuspended: true,
    body: SeenAlerts,
    returns: { 200: dataOf(SeenAlerts) },
    errors: ["RESOURCE_NOT_FOUND"],
    // Marking is the same however often it happens.
    replay: {
      newResourceId: () => "markAlertsSeen",
      afterLostAnswer: "repeats",
      present: (ctx, _id, { body }) => answer(ctx, body.up_to),
    },
  },
  async (ctx, { body }) => ok(await answer(ctx, body.up_to)),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
