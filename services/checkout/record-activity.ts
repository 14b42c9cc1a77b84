import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { Context } from "../context.ts";
import { isReference } from "./reference.ts";
import type { ActivityKind } from "./timeline-entry.ts";

/** What comes sooner after the last of its kind is not noted again. A payer may say twice in a minute that money is sent, and mean it. */
const SAMPLED_EVERY_MS: Record<ActivityKind, number> = {
  opened: MINUTE_MS,
  copied: MINUTE_MS,
  sent: 3 * SECOND_MS,
  returned: MINUTE_MS,
};

/** Spares the database what it would not note. */
const noted = new LRUCache<string, true>({ max: 10_000 });

/**
 * Notes for the merchant's timeline that somebody did this on the link's page: that it was done and when, nothing of who. Whoever did
 * anything has opened the page, also where nothing has said so yet.
 * `sent` counts only while the link is pending, and until a transfer has come that was not among the `transfersSeen`. False for a reference that is not known.
 */
export async function recordActivity(_ctx: Context, reference: string, kind: ActivityKind, transfersSeen = 0): Promise<boolean> {
  if (!isReference(reference)) return false;
  const everyMs = SAMPLED_EVERY_MS[kind];
  const key = `${kind}:${transfersSeen}:${reference}`;
  if (noted.get(key)) return true;
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
  noted.set(key, true, { ttl: everyMs });
  return true;
}
