import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { presentTimelineEntry, readTimeline, StatusQuery, Timeline } from "#services/checkout/index.ts";

export const GET = merchantRoute(
  {
    name: "getPaymentLinkTimeline",
    summary: "Read what happened to a payment link",
    description:
      "In the order of time. What payers do on the page (`opened`, `copied`, `sent`, `returned`) is sampled, says nothing of who they are, and proves nothing: only a transfer does.",
    area: "checkout",
    permission: "checkout:read",
    query: StatusQuery,
    returns: { 200: Timeline },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { query: { reference } }) => {
    const entries = await readTimeline(ctx, reference);
    return ok({ success: true, reference, data: entries.map(presentTimelineEntry) });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
