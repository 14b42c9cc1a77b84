import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { EventFeed, EventFeedQuery, listEvents, presentEvent } from "#services/events/index.ts";

export const GET = merchantRoute(
  {
    name: "listEvents",
    summary: "Read the event feed",
    description:
      "Upwards from the event after `after`. Sequences have no gaps, so a merchant can prove that it missed nothing. Send `next_cursor` as `after` to go on.",
    permission: listEvents.needs.permission,
    query: EventFeedQuery,
    returns: { 200: EventFeed },
  },
  async (ctx, { query }) => {
    const { items, hasMore } = await listEvents(ctx, query);
    const last = items.at(-1);
    return ok({
      data: items.map(presentEvent),
      pagination: { next_cursor: hasMore && last ? String(last.sequence) : null, has_more: hasMore },
    });
  },
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
