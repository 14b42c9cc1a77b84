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
  /** The page's number for the message: one more than all that it knows. A message without a number is the newest. */
  number?: number | undefined;
}

interface Recorded {
  /** A newer message came before this one. The page that still means it says it again, with a number above this one. */
  overtakenBy: number | null;
}

/**
 * Records an activity on the link's page for the merchant's timeline: the kind and the time, not the person. Records `opened` too where it
 * is missing, because every other activity needs an open page. Returns undefined for an unknown reference.
 *
 * Records `sent` and `unsent` only while the link is not paid, and only with a higher number than all before, so that a message that a phone
 * repeats late cannot overtake a newer one of its page; of two messages with one number, `sent` holds. The page forgets `sent` once a transfer
 * arrives beyond the first `transfersSeen`, and `unsent` does nothing then.
 */
export async function recordActivity(
  _ctx: Context,
  reference: string,
  kind: ActivityKind,
  said: SaidBy = {},
): Promise<Recorded | undefined> {
  if (!isReference(reference)) return undefined;
  return isMessage(kind) ? recordMessage(reference, kind, said) : recordSampled(reference, kind);
}

const RECORDED: Recorded = { overtakenBy: null };

async function recordSampled(reference: string, kind: ActivityKind): Promise<Recorded | undefined> {
  const key = `${kind}:${reference}`;
  if (recent.get(key)) return RECORDED;
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
  if (links.length === 0) return undefined;
  recent.set(key, true, { ttl: SAMPLED_EVERY_MS });
  return RECORDED;
}

async function recordMessage(reference: string, kind: Message, { transfersSeen = 0, number }: SaidBy): Promise<Recorded | undefined> {
  const [link] = await sql()<{ is_overtaken: boolean; highest: string }[]>`
    with link as (
      select l.merchant_id, l.id, l.status, (
        select count(*)::int from bank_transfers b where b.merchant_id = l.merchant_id and b.link_id = l.id) as transfers
      from payment_references r join payment_links l on l.merchant_id = r.merchant_id and l.id = r.link_id
      where r.reference = ${reference}
    ), earlier as (
      select a.kind, a.message_number as number from payment_link_activity a
      join link on link.merchant_id = a.merchant_id and link.id = a.link_id where a.kind in ('sent', 'unsent')
    ), mine as (
      select coalesce(${number ?? null}::bigint, (select max(number) from earlier) + 1, 1) as number
    ), overtaken as (
      select 1 from earlier, mine where earlier.number > mine.number or (earlier.number = mine.number and earlier.kind <> ${kind} and ${kind} = 'unsent')
    ), opened as (
      insert into payment_link_activity (merchant_id, link_id, kind)
      select merchant_id, id, 'opened' from link on conflict do nothing
    ), noted as (
      insert into payment_link_activity as a (merchant_id, link_id, kind, transfers_seen, message_number)
      select merchant_id, id, ${kind}, least(${transfersSeen}::int, transfers), mine.number from link, mine
      where (status = 'pending' or (status = 'expired' and ${kind} = 'sent')) and (${kind} = 'sent' or transfers <= ${transfersSeen}::int)
        and not exists (select from overtaken)
      on conflict (merchant_id, link_id, kind) do update
        set last_at = now(), times = a.times + 1, transfers_seen = greatest(a.transfers_seen, excluded.transfers_seen), message_number = excluded.message_number
        where excluded.message_number > a.message_number
    )
    select status <> 'success' and exists (select from overtaken) as is_overtaken, coalesce((select max(number) from earlier), 0)::text as highest from link`;
  return link && { overtakenBy: link.is_overtaken ? Number(link.highest) : null };
}
