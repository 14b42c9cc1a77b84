import type { z } from "zod";
import type { Sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { events } from "#db/schema/events.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { MerchantContext } from "../context.ts";
import { beyond, type Fragment, findPage, inOrder } from "../list-window.ts";
import type { Page, Window } from "../pagination.ts";
import { verb } from "../verb.ts";
import type { ListEventsQuery } from "./contract.ts";
import { eventFromRow, type MerchantEvent } from "./event.ts";
import { firstSequenceSince } from "./first-sequence-since.ts";

type EventsQuery = z.output<typeof ListEventsQuery>;
type Filter = Omit<EventsQuery, "limit" | "cursor">;
/** The range of sequences from `first` up to, but without, `end`. */
interface Bounds {
  first: bigint | undefined;
  end: bigint | undefined;
}

const BY_SEQUENCE = "t.sequence";

/**
 * Returns one page of a merchant's events, newest first, for people; programs read the feed upwards (`listEvents`). The order serves the time; a
 * filter by type or resource is a search (`MAX_SEARCHED_ROWS`). Throws VALIDATION_ERROR for a bad cursor.
 */
export const listNewestEvents = verb(
  { permission: "events:read" },
  async ({ merchant }: MerchantContext, request: EventsQuery): Promise<Page<MerchantEvent>> => {
    const bounds = await boundsOf(merchant.id, request);
    return findPage({
      owner: `${merchant.id}/events`,
      request,
      positionOf: ({ sequence }) => String(sequence),
      looked: (query, max, window) => newestOf(query, merchant.id, { ...request, ...bounds }, window, max),
      passes: (query) => conditionOf(query, request),
      fromRaw: (raw) => eventFromRow(fromRow(events, raw)),
      column: BY_SEQUENCE,
    });
  },
);

async function boundsOf(merchantId: string, { created_after: after, created_before: before }: Filter): Promise<Bounds> {
  return {
    first: after && (await firstSequenceSince(merchantId, after)),
    // `firstSequenceSince` allows for times that go back by a minute, so the end must too.
    end: before && (await firstSequenceSince(merchantId, new Date(before.getTime() + 2 * MINUTE_MS))),
  };
}

/** Returns a query of at most `max` events next to the window's position. */
function newestOf(query: Sql, merchantId: string, filter: Filter & Bounds, window: Window, max: number): Fragment {
  const { created_after: after, created_before: before, first, end } = filter;
  return query`
    select t.* from events t where t.merchant_id = ${merchantId}
      ${first === undefined ? query`` : query`and t.sequence >= ${String(first)}`} ${end === undefined ? query`` : query`and t.sequence < ${String(end)}`}
      ${after ? query`and t.created_at >= ${after.toISOString()}` : query``} ${before ? query`and t.created_at < ${before.toISOString()}` : query``}
      ${beyond(query, window, BY_SEQUENCE)}
    ${inOrder(query, window, BY_SEQUENCE)} limit ${max}`;
}

/** Returns the condition that no index serves, or undefined. */
function conditionOf(query: Sql, { type, resource }: Filter): Fragment | undefined {
  if (!type && !resource) return undefined;
  // Searches the data as text first, because reading the fields of every event's data takes much longer.
  return query`true ${type ? query`and t.type = ${type}` : query``}
    ${resource ? query`and case when strpos(t.data::text, ${resource}) > 0 then ${resource} in (${query.unsafe(NAMES_OF_RESOURCES)}) end` : query``}`;
}

/** The fields of an event's data that name its subject, or the card or cardholder of its subject. */
const NAMES_OF_RESOURCES = ["id", "reference", "card_id", "cardholder_id", "order_no"].map((field) => `t.data->>'${field}'`).join(", ");
