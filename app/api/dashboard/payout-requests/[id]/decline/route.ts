import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import {
  declinePayout,
  getPayoutRequest,
  PayoutRequestObject,
  PayoutRequestParams,
  presentPayoutRequest,
} from "#services/payouts/index.ts";

export const POST = dashboardRoute(
  {
    name: "declinePayout",
    summary: "Decline a payout that waits for a second person, or withdraw one's own",
    permission: declinePayout.needs.permission,
    params: PayoutRequestParams,
    returns: { 200: dataOf(PayoutRequestObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "declinePayout",
      afterLostAnswer: "answers",
      present: async (ctx, _id, { params }) => ({ data: presentPayoutRequest(await getPayoutRequest(ctx, params.id)) }),
    },
  },
  async (ctx, { params }) => ok({ data: presentPayoutRequest(await declinePayout(ctx, params.id)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
