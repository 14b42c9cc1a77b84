import { accepted } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import type { MemberContext } from "#services/context.ts";
import { countResent, ResendDeliveries, ResentDeliveries, resendDeliveries } from "#services/webhooks/index.ts";

async function answer(ctx: MemberContext, resourceId: string, ids: string[]) {
  const sent = await countResent({ ...ctx, resourceId }, ids);
  return { data: { sent, not_sent: ids.length - sent } };
}

export const POST = dashboardRoute(
  {
    name: "resendChosenDeliveries",
    summary: "Send up to 100 deliveries again",
    permission: resendDeliveries.needs.permission,
    body: ResendDeliveries,
    returns: { 202: dataOf(ResentDeliveries) },
    replay: { newResourceId: () => newId("request"), present: (ctx, id, { body }) => answer(ctx, id, body.ids) },
  },
  async (ctx, { body: { ids } }) => {
    const resourceId = ctx.resourceId ?? newId("request");
    await resendDeliveries({ ...ctx, resourceId }, ids);
    return accepted(await answer(ctx, resourceId, ids));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
