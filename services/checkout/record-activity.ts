import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { Context } from "../context.ts";
import { isReference } from "./reference.ts";
import type { ActivityKind } from "./timeline-entry.ts";

/** The minimum between two recorded activities of one kind. Messages have numbers instead. */
const SAMPLED_EVERY_MS = MINUTE_MS;
/** Activities that the database would not record again yet. */
const recent = new LRUCache<string, true>({ max: 10_000 });

/** What the payer says about the money. The newest holds. */
type Message = "sent" | "unsent";
const isMessage = (kind: ActivityKind): kind is Message => kind === "sent" || kind === "unsent";

/** What a page says with a message. */
interface SaidBy {
  /** How many transfers the page showed. */
  transfersSeen?: number;
  /** The page's number for the message: the server's time in milliseconds when the payer pressed the button, as far as the page knows it. */
  number?: number | undefined;
}

/**
 * Records an activity on the link's page for the merchant's timeline: the kind and the time, not the person. Records `opened` too where it
 * is missing, because every other activity needs an open page. Returns false for an unknown reference.
 *
 * Records `sent` and `unsent` only while the link is pending, and only with a higher number than all before, so that a message that a phone
 * repeats late cannot overtake a newer one. The page forgets `sent` once a transfer arrives beyond the first `transfersSeen`, and `unsent` does
 * nothing then. A message without a number is the newest.
 */
export async function recordActivity(_ctx: Context, reference: string, kind: ActivityKind, said: SaidBy = {}): Promise<boolean> {
  if (!isReference(reference)) return false;
  if (isMessage(kind)) return recordMessage(reference, kind, said);
  const key = `${kind}:${reference}`;
  if (recent.get(key)) return true;
  const links = await sql()`
    with link as (select merchant_id, link_id from payment_references where reference = ${reference}),
    opened as (
      insert into payment_link_activity (merchant_id, link_id, kind)
      select merchant_id, link_id, 'opened' from link where ${kind} <> 'opened' on conflict do nothing
    ), noted as (
      insert into payment_link_activity as a (merchant_id, link_id, kind) select merchant_id, link_id, ${kind} from link
      on conflict (merchant_id, link_id, kind) do update set last_at = now(), times = a.times + 1
      where a.last_at <= now() - ${SAMPLED_EVERY_MS} * interval '1 ms'
    )
    select 1 from link`;
  if (links.length === 0) return false;
  recent.set(key, true, { ttl: SAMPLED_EVERY_MS });
  return true;
}

/** A page's clock may be ahead of ours by the time that its request took. A number beyond that would close the page to honest ones. */
const MAX_AHEAD_MS = MINUTE_MS;

async function recordMessage(reference: string, kind: Message, { transfersSeen = 0, number }: SaidBy): Promise<boolean> {
  const now = Date.now();
  const capped = Math.min(number ?? now, now + MAX_AHEAD_MS);
  const links = await sql()`
    with link as (
      select l.merchant_id, l.id, l.status, (
        select count(*)::int from bank_transfers b where b.merchant_id = l.merchant_id and b.link_id = l.id) as transfers
      from payment_references r join payment_links l on l.merchant_id = r.merchant_id and l.id = r.link_id
      where r.reference = ${reference}
    ), opened as (
      insert into payment_link_activity (merchant_id, link_id, kind)
      select merchant_id, id, 'opened' from link on conflict do nothing
    ), noted as (
      insert into payment_link_activity as a (merchant_id, link_id, kind, transfers_seen, message_number)
      select merchant_id, id, ${kind}, least(${transfersSeen}::int, transfers), ${capped}::bigint from link
      where status = 'pending' and (${kind} = 'sent' or transfers <= ${transfersSeen}::int) and not exists (
        select from payment_link_activity m where m.merchant_id = link.merchant_id and m.link_id = link.id
          and m.kind in ('sent', 'unsent') and m.message_number >= ${capped}::bigint)
      on conflict (merchant_id, link_id, kind) do update
        set last_at = now(), times = a.times + 1, transfers_seen = greatest(a.transfers_seen, excluded.transfers_seen), message_number = excluded.message_number
        where excluded.message_number > a.message_number
    )
    select 1 from link`;
  return links.length > 0;
}
