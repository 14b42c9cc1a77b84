import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { Context } from "../context.ts";
import { isReference } from "./reference.ts";
import type { ActivityKind } from "./timeline-entry.ts";

/**
 * The minimum between two recorded activities of one kind, except a `sent` after a new transfer. `sent` is short: a payer may send money
 * twice within a minute.
 */
const SAMPLED_EVERY_MS: Record<ActivityKind, number> = {
  opened: MINUTE_MS,
  copied: MINUTE_MS,
  sent: 3 * SECOND_MS,
  returned: MINUTE_MS,
};

/** Activities that the database would not record again yet. */
const recent = new LRUCache<string, true>({ max: 10_000 });

/**
 * Records an activity on the link's page for the merchant's timeline: the kind and the time, not the person. Records `opened` too where it
 * is missing, because every other activity needs an open page. Records `sent` only while the link is pending; the page forgets it once a
 * transfer arrives beyond the first `transfersSeen`. Returns false for an unknown reference.
 */
export async function recordActivity(_ctx: Context, reference: string, kind: ActivityKind, transfersSeen = 0): Promise<boolean> {
  if (!isReference(reference)) return false;
  const everyMs = SAMPLED_EVERY_MS[kind];
  const key = `${kind}:${transfersSeen}:${reference}`;
  if (recent.get(key)) return true;
  const links = await sql()`
    with link as (
      select l.merchant_id, l.id, l.status, least(${transfersSeen}::int, (
        select count(*)::int from bank_transfers b where b.merchant_id = l.merchant_id and b.link_id = l.id)) as seen
      from payment_references r join payment_links l on l.merchant_id = r.merchant_id and l.id = r.link_id
      where r.reference = ${reference}
    ), opened as (
      insert into payment_link_activity (merchant_id, link_id, kind)
      select merchant_id, id, 'opened' from link where ${kind} <> 'opened' on conflict do nothing
    ), noted as (
      insert into payment_link_activity as a (merchant_id, link_id, kind, transfers_seen)
      select merchant_id, id, ${kind}, seen from link where ${kind} <> 'sent' or status = 'pending'
      on conflict (merchant_id, link_id, kind) do update set last_at = now(), times = a.times + 1, transfers_seen = greatest(a.transfers_seen, excluded.transfers_seen)
      where a.last_at <= now() - ${everyMs} * interval '1 ms' or excluded.transfers_seen > a.transfers_seen
    )
    select 1 from link`;
  if (links.length === 0) return false;
  recent.set(key, true, { ttl: everyMs });
  return true;
}
