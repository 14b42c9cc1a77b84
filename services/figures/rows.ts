import { type SQL, sql } from "drizzle-orm";
import { ADJUSTMENT, WALLET } from "../ledger/index.ts";

/** A time zone of PostgreSQL. A day is the calendar date there, wherever server and reader are. */
const LAGOS = "'Africa/Lagos'";
const lagosDayOf = (time: string): SQL => sql.raw(`(${time} at time zone ${LAGOS})::date`);

/** Return queries of the latest day of the entries, or events, in a span, or null where it has none. */
export const lastEntryDayWithin = (merchantId: string): SQL => sql`
  (select max(${lagosDayOf("created_at")}) from ledger_entries
   where merchant_id = ${merchantId} and account = ${WALLET} and seq > span.entries_after and seq <= span.entries_to)`;
export const lastEventDayWithin = (merchantId: string): SQL => sql`
  (select max(${lagosDayOf("created_at")}) from events
   where merchant_id = ${merchantId} and sequence > span.events_after and sequence <= span.events_to)`;

/**
 * Returns a query of one row: the entries and events of a merchant after its cursor, at most `max` of each, as `(…_after, …_to]`, and
 * `has_more` where later ones are left. One statement sees all of them up to the last number: an account and an event counter are locked
 * until commit, so numbers become visible in order.
 */
export const spanOf = (merchantId: string, max: number): SQL => sql`
  select entries_after, events_after, wallet_day, event_day,
    least(last_entry, entries_after + ${max}::bigint) as entries_to, least(last_event, events_after + ${max}::bigint) as events_to,
    last_entry > entries_after + ${max}::bigint or last_event > events_after + ${max}::bigint as has_more
  from (
    select c.wallet_day, c.event_day, coalesce(c.wallet_seq, 0) as entries_after, coalesce(c.event_sequence, 0) as events_after,
      coalesce(a.seq, 0) as last_entry, coalesce(e.last_sequence, 0) as last_event
    from (values (1)) always
    left join figure_cursors c on c.merchant_id = ${merchantId}
    left join ledger_accounts a on a.merchant_id = ${merchantId} and a.account = ${WALLET}
    left join event_counters e on e.merchant_id = ${merchantId}
  ) numbers`;

/** The Naira in the data of an event `t`: of a link or purchase, or the wallet's amount of a card operation. */
const NAIRA_OF_EVENT = sql.raw(`
  case
    when t.type in ('card.funded', 'card.unloaded') then t.data -> 'wallet_amount'
    when t.type in ('checkout.success', 'checkout.expired', 'checkout.transfer_recalled', 'vtu.success', 'vtu.failed', 'vtu.reversed',
      'payout.paid', 'payout.failed', 'payout.reversed', 'checkout.refund_paid', 'checkout.refund_failed', 'checkout.refund_reversed') then t.data -> 'amount'
  end`);
/** The same in kobo. Zero where the event names none. */
const KOBO_OF_EVENT = sql.raw(`
  case when json_typeof(named.naira) = 'number' then round((named.naira #>> '{}')::numeric * 100)::bigint else 0 end`);

/**
 * Returns a query of the figures of the entries and events in the row of `spanOf`, which the caller's `with` names `span`. Entries that post
 * nothing are holds. The purpose of an entry is looked up alone, because a join may be planned for a whole ledger (docs/decisions/0013). The
 * limits cut nothing: they tell the planner how few rows a span has, or it compiles the query for a large merchant, which takes longer than
 * the query.
 *
 * An entry belongs to the latest day of all entries up to it, in the order of their numbers, and so does an event among events: its time is that at
 * which its transaction began. So a day's figures and a month's statement (`firstNumberSince`) have the same entries.
 */
export const figuresWithin = (merchantId: string, max: number): SQL => sql`
  select day, source, type, count(*) as count, sum(kobo)::bigint as kobo
  from (
    select greatest(t.reached, span.wallet_day) as day, 'wallet'::figure_source as source,
      coalesce((select x.meta ->> 'type' from ledger_transfers x where x.merchant_id = ${merchantId} and x.id = t.transfer_id limit 1), ${ADJUSTMENT}) as type,
      case when t.side = 'credit' then t.posted else -t.posted end as kobo
    from span cross join lateral (
      select *, max(${lagosDayOf("entries.created_at")}) over (order by seq) as reached from (
        select * from ledger_entries
        where merchant_id = ${merchantId} and account = ${WALLET} and seq > span.entries_after and seq <= span.entries_to order by seq limit ${max}
      ) entries
    ) t
    where t.posted <> 0
    union all
    select greatest(t.reached, span.event_day), 'event', t.type, ${KOBO_OF_EVENT}
    from span cross join lateral (
      select *, max(${lagosDayOf("happened.created_at")}) over (order by sequence) as reached from (
        select * from events
        where merchant_id = ${merchantId} and sequence > span.events_after and sequence <= span.events_to order by sequence limit ${max}
      ) happened
    ) t
    cross join lateral (select ${NAIRA_OF_EVENT} as naira) named
  ) counted
  group by day, source, type`;
