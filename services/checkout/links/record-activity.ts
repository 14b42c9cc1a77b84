import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { linkOfReference } from "#db/schema/checkout.ts";
import { isLinkReference } from "#lib/references.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { Context } from "../../context.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { verb } from "../../verb.ts";
import { MOST_READS_AFTER_SENT, READ_AFTER_SENT_MS } from "../account-schedule.ts";
import { run } from "../rows.ts";
import type { ActivityKind } from "../timeline-entry.ts";

/** The minimum between two recorded activities of one kind. Messages have numbers instead. */
const SAMPLED_EVERY_MS = MINUTE_MS;
/** Activities recorded so recently that the database would not record them again. */
const recent = new LRUCache<string, true>({ max: 10_000 });

/** The payer's messages about the money. The newest one counts. */
type Message = "sent" | "unsent";
const isMessage = (kind: ActivityKind): kind is Message => kind === "sent" || kind === "unsent";

/** The data that a page sends with a message. */
interface SaidBy {
  /** The number of transfers that the page showed. */
  transfersSeen?: number;
  /** The page's number for the message: one higher than all that the page knows. A message without a number counts as the newest. */
  number?: number | undefined;
}

interface Recorded {
  /** The number of a newer message that superseded this one, or null. To insist, the page repeats its message with a higher number. */
  supersededBy: number | null;
}

/**
 * Records an activity on the link's page for the merchant's timeline: the kind and the time, not the person. Records `opened` too where it
 * is missing, because every other activity needs an open page. Returns undefined for an unknown reference.
 *
 * Records `sent` and `unsent` only while the link is not paid, and only with a higher number than all before, so that a message that a phone
 * repeats late cannot supersede a newer one of its page. Of two messages with one number, `sent` counts. The page drops `sent` once a transfer
 * arrives beyond the first `transfersSeen`, and `unsent` does nothing then.
 */
export const recordActivity = verb(
  { actor: ["anyone"] },
  async (_ctx: Context, reference: string, kind: ActivityKind, said: SaidBy = {}): Promise<Recorded | undefined> => {
    if (!isMessage(kind) && recent.get(`${kind}:${reference}`)) return RECORDED;
    const merchantId = await findMerchantOf(reference);
    if (merchantId === undefined || !isLinkReference(reference)) return undefined;
    return isMessage(kind) ? recordMessage(merchantId, reference, kind, said) : recordSampled(merchantId, reference, kind);
  },
);

const RECORDED: Recorded = { supersededBy: null };

const NOTE = `
  with link as (select id from ${linkOfReference("$1", "$2")} l),
  opened as (
    insert into payment_link_activity (merchant_id, link_id, kind)
    select $1, id, 'opened' from link where $3 <> 'opened' on conflict do nothing
  ), noted as (
    insert into payment_link_activity as a (merchant_id, link_id, kind) select $1, id, $3::link_activity_kind from link
    on conflict (merchant_id, link_id, kind) do update set last_at = excluded.last_at, times = a.times + 1
    where excluded.last_at - a.last_at >= $4::int * interval '1 ms'
  )
  select 1 from link`;

async function recordSampled(merchantId: string, reference: string, kind: ActivityKind): Promise<Recorded | undefined> {
  const links = await run(NOTE, [merchantId, reference, kind, SAMPLED_EVERY_MS]);
  if (links.length === 0) return undefined;
  recent.set(`${kind}:${reference}`, true, { ttl: SAMPLED_EVERY_MS });
  return RECORDED;
}

const NOTE_MESSAGE = `
  with link as (
    select id, status, provider, provider_reference, (select count(*)::int from bank_transfers b where b.merchant_id = $1 and b.link_id = l.id) as transfers
    from ${linkOfReference("$1", "$2")} l
  ), earlier as (
    select a.kind, a.message_number as number from payment_link_activity a
    join link on link.id = a.link_id where a.merchant_id = $1 and a.kind in ('sent', 'unsent')
  ), mine as (
    select coalesce($5::bigint, (select max(number) from earlier) + 1, 1) as number
  ), superseded as (
    select 1 from earlier, mine
    where earlier.number > mine.number or (earlier.number = mine.number and earlier.kind::text <> $3 and $3 = 'unsent')
  ), opened as (
    insert into payment_link_activity (merchant_id, link_id, kind)
    select $1, id, 'opened' from link on conflict do nothing
  ), noted as (
    insert into payment_link_activity as a (merchant_id, link_id, kind, transfers_seen, message_number)
    select $1, id, $3::link_activity_kind, least($4::int, transfers), mine.number from link, mine
    where (status = 'pending' or (status = 'expired' and $3 = 'sent')) and ($3 = 'sent' or transfers <= $4::int)
      and not exists (select from superseded)
    on conflict (merchant_id, link_id, kind) do update
      set last_at = excluded.last_at, times = a.times + 1, transfers_seen = greatest(a.transfers_seen, excluded.transfers_seen),
        message_number = excluded.message_number
      where excluded.message_number > a.message_number
    returning 1
  )
  select provider, provider_reference, status <> 'success' and not exists (select from superseded) as stands, status <> 'success' and exists (select from superseded) as is_superseded, coalesce((select max(number) from earlier), 0)::text as highest
  from link`;

interface Noted extends AccountAtBank {
  /** The link is not paid, and no newer message superseded this one. */
  stands: boolean;
  is_superseded: boolean;
  /** The highest number of a message before. */
  highest: string;
}

interface AccountAtBank {
  provider: string;
  provider_reference: string;
}

/** Has the bank asked soon what has arrived, because its notice may be lost. A bank that does not answer keeps its waits. */
const readSoon = ({ provider, provider_reference: reference }: AccountAtBank) => sql()`
  update one_time_accounts set next_read_at = now() + ${READ_AFTER_SENT_MS} * interval '1 ms', reads_after_sent = reads_after_sent + 1
  where provider = ${provider} and account_reference = ${reference} and next_read_at > now() + ${READ_AFTER_SENT_MS} * interval '1 ms'
    and read_failures <= 1 and reads_after_sent < ${MOST_READS_AFTER_SENT}`;

async function recordMessage(
  merchantId: string,
  reference: string,
  kind: Message,
  { transfersSeen = 0, number }: SaidBy,
): Promise<Recorded | undefined> {
  const [link] = await run<Noted>(NOTE_MESSAGE, [merchantId, reference, kind, transfersSeen, number ?? null]);
  // Also after a repeated message, whose first attempt may have failed here.
  if (link?.stands && kind === "sent") await readSoon(link);
  return link && { supersededBy: link.is_superseded ? Number(link.highest) : null };
}
