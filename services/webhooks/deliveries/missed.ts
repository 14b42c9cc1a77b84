import { type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { oneAtATime } from "#lib/one-at-a-time.ts";
import { deliveryIdOf, firstSequenceSince, lastSequenceOf } from "../../events/index.ts";
import type { Endpoint } from "../endpoint.ts";

/** The range of events that a request resends or counts: since a time, and after a sequence. */
export interface ResendRequest {
  since: Date;
  after: number;
}

/** How many sequences one request reads. */
export interface Reach {
  /** The sequences of one statement. */
  window: number;
  /** The sequences of all statements together. */
  total: number;
}

/** An event costs two reads by key: measured on two cores, a statement takes 0.4 s and a look 1.6 s. A caller with more events goes on behind them. */
const REACH: Reach = { window: 50_000, total: 200_000 };

/** A search: a condition on an event `e` and its delivery `known`, and the most results. */
interface Wanted {
  condition: SQL;
  max: number;
}

export interface Found {
  /** Ascending, at most `max`. */
  sequences: number[];
  /** The last sequence that was read. `sequences` has all matches up to it. */
  through: number;
  /** Whether there is no event after `through`. */
  isAll: boolean;
}

/**
 * Returns SQL for the events `e` of an endpoint's merchant, each with its delivery `known` to the endpoint, whose columns are null where it has
 * none. Without the inner limit the planner may join all deliveries of the merchant for each window (docs/decisions/0013).
 */
export const eventsFor = ({ merchantId, id }: Endpoint): SQL => sql`
  events e
  left join lateral (
    select d.id, d.status, d.tries, d.last_resend_id from webhook_deliveries d
    where d.merchant_id = ${merchantId} and d.id = ${deliveryIdOf(sql`${id}::text`, sql`e.id`)}
    limit 1
  ) known on true
  where e.merchant_id = ${merchantId}`;

/**
 * Returns the condition that an endpoint wants an event and has not got it: the delivery failed, waits for a retry, or was never made, because
 * the endpoint was disabled. A delivery that waits for its first attempt (after its creation or a resend) does not count as missed.
 */
export const isMissedBy = ({ eventTypes }: Endpoint): SQL => sql`
  (known.status = 'failed' or (known.status = 'pending' and known.tries > 0)
    or (known.id is null and ${eventTypes === null ? sql`true` : sql`e.type in ${eventTypes}`}))`;

/**
 * Returns the first matching events, window by window, until there are `max` or `reach` ends. Events from before the creation of the endpoint
 * are left out. No lock is held.
 */
export async function searchEvents(
  endpoint: Endpoint,
  { since, after }: ResendRequest,
  { condition, max }: Wanted,
  { window, total }: Reach = REACH,
): Promise<Found> {
  const from = since > endpoint.createdAt ? since : endpoint.createdAt;
  const before = Math.max(after, Number(await firstSequenceSince(endpoint.merchantId, from)) - 1);
  const newest = Number(await lastSequenceOf(endpoint.merchantId));
  const end = Math.min(newest, before + total);
  const sequences: number[] = [];
  let through = before;
  while (through < end && sequences.length < max) {
    const last = Math.min(through + window, end);
    const rows = await db().execute<{ sequence: string }>(sql`
      select e.sequence::text from ${eventsFor(endpoint)} and e.sequence > ${through} and e.sequence <= ${last}
        and e.created_at >= ${from.toISOString()}::timestamptz and ${condition}
      order by e.sequence limit ${max - sequences.length}`);
    for (const { sequence } of rows) sequences.push(Number(sequence));
    through = sequences.length < max ? last : (sequences.at(-1) ?? last);
  }
  return { sequences, through, isAll: through >= newest };
}

/**
 * Runs `look` after the earlier looks of the same merchant in this process, so that a merchant who asks many times at once does not take the
 * connections of others. Throws RATE_LIMITED when more than `maxWaiting` wait already.
 */
export const oneSearchAtATime = <T>(merchantId: string, look: () => Promise<T>, maxWaiting?: number): Promise<T> =>
  oneAtATime(`missed_events/${merchantId}`, look, maxWaiting);
