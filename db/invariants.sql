-- The invariants of the ledger. Each query returns the rows that break its invariant, and no row on a sound database.
-- Run all queries in one repeatable-read transaction, so that they see all or nothing of a posting in flight.

-- name: debits equal credits for every merchant and currency
select e.merchant_id, a.currency,
  sum(case e.side when 'debit' then e.posted else -e.posted end) as posted_difference,
  sum(case e.side when 'debit' then e.pending else -e.pending end) as pending_difference
from ledger_entries e join ledger_accounts a using (merchant_id, account)
group by e.merchant_id, a.currency having sum(case e.side when 'debit' then e.posted else -e.posted end) <> 0
  or sum(case e.side when 'debit' then e.pending else -e.pending end) <> 0;

-- name: an account's columns equal the sums of its entries
select a.merchant_id, a.account from ledger_accounts a left join ledger_entries e using (merchant_id, account)
group by a.merchant_id, a.account having (max(a.posted_debits), max(a.pending_debits), max(a.posted_credits), max(a.pending_credits), max(a.seq)) is distinct from (
  coalesce(sum(e.posted) filter (where e.side = 'debit'), 0), coalesce(sum(e.pending) filter (where e.side = 'debit'), 0),
  coalesce(sum(e.posted) filter (where e.side = 'credit'), 0), coalesce(sum(e.pending) filter (where e.side = 'credit'), 0),
  count(e.seq));

-- name: entries of an account count from one without gaps
select merchant_id, account, count(*), min(seq), max(seq) from ledger_entries
group by merchant_id, account having min(seq) <> 1 or max(seq) <> count(*);

-- name: no floored account is below zero
select merchant_id, account, a.available from ledger_accounts a where floored and a.available < 0;

-- name: a merchant that owes has nothing to spend
select r.merchant_id, r.available as owed, w.available as available from ledger_accounts r
join ledger_accounts w on w.merchant_id = r.merchant_id and w.account = 'wallet'
where r.account = 'receivable:merchant' and r.available > 0 and w.available > 0;

-- name: a running balance follows from the balance before it
select merchant_id, account, seq from (
  select e.*, a.normal_side,
    lag(e.balance_after, 1, 0::bigint) over (partition by e.merchant_id, e.account order by e.seq) as balance_before
  from ledger_entries e join ledger_accounts a using (merchant_id, account)
) x where balance_after <> balance_before + case when side = normal_side then posted else -posted end;

-- name: a posted transfer has one debit and one credit entry of its amount, a rejected one has none
select t.merchant_id, t.id from ledger_transfers t left join ledger_entries e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
group by t.merchant_id, t.id, t.result, t.debit_account, t.credit_account, t.kind, t.amount having case t.result
  when 'rejected' then count(e.seq) <> 0
  else count(*) filter (where e.side = 'debit' and e.account = t.debit_account) <> 1
    or count(*) filter (where e.side = 'credit' and e.account = t.credit_account) <> 1
    or count(e.seq) <> 2
    or bool_or(e.posted <> case t.kind when 'hold' then 0 when 'release' then 0 else t.amount end)
end;

-- name: every entry belongs to a posted transfer
select e.merchant_id, e.account, e.seq, e.transfer_id from ledger_entries e
left join ledger_transfers t on t.merchant_id = e.merchant_id and t.id = e.transfer_id and t.result = 'posted'
where t.id is null;

-- name: a hold resolves once, for its whole amount
select h.merchant_id, h.id from ledger_transfers h
join ledger_transfers r on r.merchant_id = h.merchant_id and r.resolves_id = h.id and r.result = 'posted'
left join ledger_entries e on e.merchant_id = r.merchant_id and e.transfer_id = r.id
where h.kind = 'hold' group by h.merchant_id, h.id, h.amount
having count(distinct r.id) <> 1 or bool_or(e.pending <> -h.amount);

-- name: a posting is reversed at most once
select merchant_id, reverses_id from ledger_transfers where reverses_id is not null and result = 'posted'
group by merchant_id, reverses_id having count(*) > 1;

-- name: a pending balance is the sum of the open holds
select a.merchant_id, a.account from ledger_accounts a
left join ledger_transfers h on h.merchant_id = a.merchant_id and a.account in (h.debit_account, h.credit_account)
  and h.kind = 'hold' and h.result = 'posted'
  and not exists (select from ledger_transfers r where r.merchant_id = h.merchant_id and r.resolves_id = h.id and r.result = 'posted')
group by a.merchant_id, a.account, a.pending_debits, a.pending_credits
having a.pending_debits <> coalesce(sum(h.amount) filter (where h.debit_account = a.account), 0)
  or a.pending_credits <> coalesce(sum(h.amount) filter (where h.credit_account = a.account), 0);

-- name: a paid link has one accepted transfer and one wallet credit of its amount
select l.merchant_id, l.id from payment_links l
left join bank_transfers b on b.merchant_id = l.merchant_id and b.link_id = l.id and b.disposition in ('accepted', 'recalled')
left join ledger_transfers t on t.merchant_id = l.merchant_id and t.key = 'bank_transfer:' || b.id and t.result = 'posted' and t.credit_account = 'wallet'
group by l.merchant_id, l.id, l.status, l.amount
having case l.status
  when 'success' then count(b.id) <> 1 or count(t.id) <> 1 or bool_or(b.amount <> l.amount) or bool_or(t.amount <> l.amount)
  else count(b.id) <> 0
end;

-- name: every wallet credit for a bank transfer has one accepted transfer of its amount
select t.merchant_id, t.key, t.amount from ledger_transfers t
left join bank_transfers b on b.merchant_id = t.merchant_id and t.key = 'bank_transfer:' || b.id and b.disposition in ('accepted', 'recalled') and b.amount = t.amount
where t.result = 'posted' and t.credit_account = 'wallet' and t.debit_account = 'settlement:bank' and t.key like 'bank\_transfer:%' and b.id is null;

-- name: a recalled transfer is reversed and its link is marked as recalled, and no other transfer is reversed
select b.merchant_id, b.id, b.disposition from bank_transfers b
join ledger_transfers t on t.merchant_id = b.merchant_id and t.key = 'bank_transfer:' || b.id and t.result = 'posted' and t.credit_account = 'wallet'
left join payment_links l on l.merchant_id = b.merchant_id and l.id = b.link_id
left join ledger_transfers r on r.merchant_id = t.merchant_id and r.reverses_id = t.id and r.result = 'posted'
where (b.disposition = 'recalled') <> (r.id is not null) or (b.disposition = 'recalled') <> (l.recalled_at is not null);

-- name: suspense has each transfer that is owed back or suspended, and no transfer that was returned
select b.merchant_id, b.id, b.return_state from bank_transfers b
left join ledger_transfers t on t.merchant_id = b.merchant_id and t.key = 'bank_transfer:' || b.id and t.result = 'posted' and t.credit_account = 'suspense'
left join ledger_transfers r on r.merchant_id = t.merchant_id and r.reverses_id = t.id and r.result = 'posted'
where case
  when b.return_state = 'owed' or b.disposition = 'suspended' then t.id is null or t.amount <> b.amount or r.id is not null
  when b.return_state = 'done' then t.id is null or t.amount <> b.amount or r.id is null
  else t.id is not null
end;

-- name: a link and its replacement name each other and their chain, and no link of a paid order is pending
select l.merchant_id, l.reference, l.replaced_by as other from payment_links l
left join payment_links r on r.merchant_id = l.merchant_id and r.reference = l.replaced_by
where l.replaced_by is not null
  and (r.replaces is distinct from l.reference or r.first_link_id is distinct from coalesce(l.first_link_id, l.id) or (l.status = 'success' and r.status = 'pending'))
union all
select l.merchant_id, l.reference, l.replaces from payment_links l
left join payment_links r on r.merchant_id = l.merchant_id and r.reference = l.replaces
where l.replaces is not null and r.replaced_by is distinct from l.reference
union all
select f.merchant_id, f.reference, f.order_paid_by from payment_links f
left join payment_links p on p.merchant_id = f.merchant_id and p.reference = f.order_paid_by
where f.order_paid_by is not null and (p.status is distinct from 'success' or coalesce(p.first_link_id, p.id) <> f.id)
union all
select l.merchant_id, l.reference, f.reference from payment_links l
join payment_links f on f.merchant_id = l.merchant_id and f.id = l.first_link_id
where (l.status = 'pending' and f.order_paid_by is not null) or (l.status = 'success' and f.order_paid_by is null);

-- name: events are numbered from one without gaps, up to the event counter
select c.merchant_id, c.last_sequence, count(e.sequence) from event_counters c left join events e using (merchant_id)
group by c.merchant_id, c.last_sequence
having c.last_sequence <> count(e.sequence) or coalesce(max(e.sequence), 0) <> count(e.sequence);

-- name: the audit of a business is numbered from one without gaps, and its head is the last entry (the keyed hashes: npm run check:audit)
select coalesce(h.business_id, e.business_id) as business_id, h.seq, e.entries, e.last
from audit_heads h full join (select business_id, count(*) as entries, max(seq) as last from audit_entries group by business_id) e using (business_id)
left join audit_entries l on l.business_id = e.business_id and l.seq = e.last
where (h.seq, h.hash) is distinct from (l.seq, l.hash) or e.entries <> e.last;

-- name: the hold of a card operation is open while it is processing, captured once it is completed, released once it failed or was corrected
select o.merchant_id, o.id, o.type, o.status from card_operations o
left join ledger_transfers h on h.merchant_id = o.merchant_id and h.key = o.id || ':hold' and h.result = 'posted'
left join ledger_transfers r on r.merchant_id = h.merchant_id and r.resolves_id = h.id and r.result = 'posted'
where case
  when o.type not in ('issue', 'fund', 'unload') or (o.type <> 'unload' and o.wallet_amount = 0) then h.id is not null
  when h.id is null or h.debit_account <> case o.type when 'unload' then 'card:' || o.card_id else 'wallet' end then true
  when o.type <> 'unload' and h.amount <> o.wallet_amount then true
  when o.status = 'processing' then r.id is not null
  when o.status = 'failed' or o.corrected_at is not null then r.kind is distinct from 'release'
  else r.kind is distinct from 'capture' or r.amount <> case o.type when 'unload' then o.amount else o.wallet_amount end
end;

-- name: the wallet amount of a card operation follows from its rate, rounded up where the merchant pays and down where it gets
select merchant_id, id, type, wallet_amount from card_operations
where exchange_rate is not null and wallet_amount <> case
  when type in ('issue', 'fund') then div((amount + fee) * exchange_rate::numeric + 9999, 10000)
  when amount < 0 then div(-amount * exchange_rate::numeric + 9999, 10000)
  else div(amount * exchange_rate::numeric, 10000)
end;

-- name: the wallet paid once for what was issued or funded, got an unload or the rest of a terminated card once, and paid once for an overdrawn one
select o.merchant_id, o.id from card_operations o
left join ledger_transfers t on t.merchant_id = o.merchant_id and t.key in (o.id || ':wallet', o.id || ':wallet:overflow') and t.result = 'posted'
group by o.merchant_id, o.id, o.type, o.status, o.amount, o.wallet_amount
having coalesce(sum(t.amount * case when t.credit_account = 'wallet' then 1 else -1 end), 0)
  <> case when o.status <> 'completed' then 0 when o.type in ('issue', 'fund') or o.amount < 0 then -o.wallet_amount
    when o.amount = 0 then 0 else o.wallet_amount end;

-- name: a completed operation took its fee and the spread to the middle rate, and any other operation took neither
select o.merchant_id, o.id from card_operations o
left join ledger_transfers f on f.merchant_id = o.merchant_id and f.key = o.id || ':fee' and f.result = 'posted' and f.credit_account = 'revenue:fees'
left join ledger_transfers s on s.merchant_id = o.merchant_id and s.key = o.id || ':spread' and s.result = 'posted' and s.credit_account = 'revenue:spread'
where coalesce(f.amount, 0) <> case o.status when 'completed' then o.fee else 0 end
  or coalesce(s.amount, 0) <> case when o.status <> 'completed' or o.mid_rate is null then 0
    else abs(o.wallet_amount - div(abs(o.amount + o.fee) * o.mid_rate::numeric, 10000)) end;

-- name: a terminated card has a balance of zero an hour after its last spend
select c.merchant_id, c.id, a.available from cards c
join ledger_accounts a on a.merchant_id = c.merchant_id and a.account = 'card:' || c.id
where c.status = 'TERMINATED' and a.available <> 0
  and not exists (select from card_operations o where o.merchant_id = c.merchant_id and o.card_id = c.id and o.status = 'processing')
  and not exists (select from card_operations o where o.merchant_id = c.merchant_id and o.card_id = c.id and o.completed_at > now() - interval '1 hour')
  and not exists (
    select from card_transactions t where t.merchant_id = c.merchant_id and t.card_id = c.id and t.awaits_passing_on
      -- An expired authorization is due since its expiry, which is later than created_at.
      and (t.created_at > now() - interval '1 hour' or (t.type = 'AUTHORIZATION' and t.open_amount = 0)));

-- name: the open amounts of differences with issuers add up to the balance of their suspense account
select a.merchant_id, a.posted_credits - a.posted_debits as held, sum(i.open) as open from ledger_accounts a
left join suspense_items i on i.merchant_id = a.merchant_id
where a.account = 'suspense:issuer'
group by a.merchant_id, a.posted_credits, a.posted_debits
having a.posted_credits - a.posted_debits <> coalesce(sum(i.open), 0);

-- name: a card's account equals what went onto the card, less what went off it and what shops have authorized
select a.merchant_id, a.account, a.available, sum(x.change) from ledger_accounts a
left join (
  select merchant_id, card_id, case type when 'fund' then amount else -amount end as change from card_operations
  where (status = 'completed' and type in ('fund', 'unload', 'terminate')) or (status = 'processing' and type = 'unload')
  union all
  select merchant_id, card_id, case type when 'REFUND' then amount when 'CLEARING' then -amount when 'FEE' then -amount else 0 end - open_amount
  from card_transactions
  union all
  -- Reversals of earlier clearings, and money that a terminated card passed on to the wallet or got from it.
  select t.merchant_id, t.card_id, case when l.credit_account = 'card:' || t.card_id then l.amount else -l.amount end
  from card_transactions t join ledger_transfers l on l.merchant_id = t.merchant_id and l.result = 'posted'
    and l.key in ('card_transaction:' || t.id || ':passed_on:card', 'card_transaction:' || t.id || ':expired:passed_on:card', 'card_transaction:' || t.id || ':reversed_before', case t.type when 'REVERSAL' then 'card_transaction:' || t.id || ':beyond' end)
  union all
  -- Late spend that a late funding gave back, and credits that a late unload took back or spend that it had the wallet pay for.
  select o.merchant_id, o.card_id, case when l.credit_account = 'card:' || o.card_id then l.amount else -l.amount end
  from card_operations o join ledger_transfers l on l.merchant_id = o.merchant_id and l.result = 'posted'
    and l.key in (o.id || ':given_back:card', o.id || ':paid_for_spend:card', o.id || ':taken_back:card', o.id || ':refund_taken_back:card')
  where o.corrected_at is not null
  union all
  -- Differences that went to suspense, less the parts that later spend explained.
  select i.merchant_id, i.card_id, case when l.credit_account = 'card:' || i.card_id then l.amount else -l.amount end
  from suspense_items i cross join generate_series(0, i.moves) n
  join ledger_transfers l on l.merchant_id = i.merchant_id and l.result = 'posted' and l.key = i.id || ':' || n || ':card'
) x on x.merchant_id = a.merchant_id and a.account = 'card:' || x.card_id
where a.account like 'card:%'
group by a.merchant_id, a.account, a.available
having a.available <> coalesce(sum(x.change), 0);

-- name: the open amount of an authorization is held on its card
select t.merchant_id, t.card_id, t.id from card_transactions t
left join ledger_transfers h on h.merchant_id = t.merchant_id and h.key = t.hold_key and h.result = 'posted' and h.kind = 'hold'
left join ledger_transfers r on r.merchant_id = h.merchant_id and r.resolves_id = h.id and r.result = 'posted'
where t.hold_key is not null and (h.id is null or r.id is not null or h.amount <> t.open_amount or h.debit_account <> 'card:' || t.card_id);

-- name: an issued card has an account, and no other card has one
select coalesce(c.merchant_id, a.merchant_id) as merchant_id, c.id, a.account
from (select * from cards where status in ('ACTIVE', 'FROZEN', 'TERMINATED')) c
full join (select * from ledger_accounts where account like 'card:%') a on a.merchant_id = c.merchant_id and a.account = 'card:' || c.id
where c.id is null or a.account is null;

-- name: the hold of a purchase is open while it is processing, and resolved once it is final
select p.merchant_id, p.id, p.status from purchases p
left join ledger_transfers h on h.merchant_id = p.merchant_id and h.key = p.id || ':hold' and h.result = 'posted'
left join ledger_transfers r on r.merchant_id = h.merchant_id and r.resolves_id = h.id and r.result = 'posted'
where h.id is null or h.amount <> p.amount or h.debit_account <> 'wallet' or (p.status = 'processing') <> (r.id is null)
  or (p.corrections = 0 and p.status <> 'processing' and (r.kind <> case p.status when 'success' then 'capture' else 'release' end::ledger_transfer_kind
    or (r.kind = 'capture' and r.amount <> p.charged)));

-- name: the wallet paid exactly what each purchase was charged, corrections included
with k as (
  select p.merchant_id, p.id, p.id || suffix as key from purchases p, unnest(array[':capture', ':release']) suffix
  union all
  select p.merchant_id, p.id, p.id || ':' || kind || ':' || n || tail
  from purchases p, unnest(array['late', 'reversal']) kind, generate_series(1, p.corrections) n, unnest(array['', ':overflow']) tail
), t as (
  select k.merchant_id, k.id,
    case when t.kind in ('hold', 'release') then 0 when t.credit_account = 'settlement:vtu' then t.amount else -t.amount end as paid
  from k join ledger_transfers t on t.merchant_id = k.merchant_id and t.key = k.key and t.result = 'posted'
)
select p.merchant_id, p.id, p.charged, sum(t.paid) from purchases p
left join t on t.merchant_id = p.merchant_id and t.id = p.id
group by p.merchant_id, p.id, p.charged
having coalesce(sum(t.paid), 0) <> p.charged;

-- name: the debt to aggregators equals the charged purchases, and its pending part the processing ones
select a.merchant_id, a.posted_credits - a.posted_debits as owed, a.pending_credits, p.charged, p.held from ledger_accounts a
left join lateral (
  select coalesce(sum(charged), 0) as charged, coalesce(sum(amount) filter (where status = 'processing'), 0) as held
  from purchases p where p.merchant_id = a.merchant_id
) p on true
where a.account = 'settlement:vtu' and (a.posted_credits - a.posted_debits <> p.charged or a.pending_credits <> p.held);

-- name: the hold of a payout is open while it is processing, captured if the bank paid it in time, and released otherwise
select p.merchant_id, p.id, p.status from payouts p
left join ledger_transfers h on h.merchant_id = p.merchant_id and h.key = p.id || ':hold' and h.result = 'posted'
left join ledger_transfers r on r.merchant_id = h.merchant_id and r.resolves_id = h.id and r.result = 'posted'
where h.id is null or h.amount <> p.amount + p.fee or h.debit_account <> 'wallet' or (p.status = 'processing') <> (r.id is null)
  or (p.status <> 'processing' and r.kind <> case when p.status = 'failed' or p.is_late then 'release' else 'capture' end::ledger_transfer_kind)
  or (r.kind = 'capture' and r.amount <> h.amount);

-- name: the wallet paid amount and fee of each payout that stands as paid, once, and nothing for any other
with k as (
  select p.merchant_id, p.id, p.id || suffix as key from payouts p, unnest(array[':capture', ':late', ':late:overflow', ':reversal']) suffix
  union all select p.merchant_id, p.id, p.id || suffix from payouts p, generate_series(1, p.corrections) n,
    unnest(array[':again:' || n, ':again:' || n || ':overflow', ':reversal:' || n]) suffix
), t as (
  select k.merchant_id, k.id, case t.credit_account when 'settlement:bank' then t.amount else -t.amount end as paid
  from k join ledger_transfers t on t.merchant_id = k.merchant_id and t.key = k.key and t.result = 'posted'
)
select p.merchant_id, p.id, p.status, sum(t.paid) from payouts p
left join t on t.merchant_id = p.merchant_id and t.id = p.id
group by p.merchant_id, p.id, p.status, p.amount, p.fee
having coalesce(sum(t.paid), 0) <> case p.status when 'paid' then p.amount + p.fee else 0 end;

-- name: the fees of the payouts that stand as paid are the revenue of payouts
select a.merchant_id, a.posted_credits - a.posted_debits as earned, p.fees from ledger_accounts a
left join lateral (select coalesce(sum(fee), 0) as fees from payouts p where p.merchant_id = a.merchant_id and p.status = 'paid') p on true
where a.account = 'revenue:payouts' and a.posted_credits - a.posted_debits <> p.fees;

-- name: the hold of a refund is open while it needs an account or is processing, captured if the bank paid it in time, and released otherwise
select f.merchant_id, f.id, f.status from refunds f
left join ledger_transfers h on h.merchant_id = f.merchant_id and h.key = f.id || ':hold' and h.result = 'posted'
left join ledger_transfers r on r.merchant_id = h.merchant_id and r.resolves_id = h.id and r.result = 'posted'
where h.id is null or h.amount <> f.amount or h.debit_account <> 'wallet' or (f.status in ('needs_account', 'processing')) <> (r.id is null)
  or (r.id is not null and r.kind <> case when f.status = 'failed' or f.is_late then 'release' else 'capture' end::ledger_transfer_kind)
  or (r.kind = 'capture' and r.amount <> h.amount);

-- name: the wallet paid the amount of each refund that stands as paid, once, and nothing for any other
with k as (
  select f.merchant_id, f.id, f.id || suffix as key from refunds f, unnest(array[':capture', ':late', ':late:overflow', ':reversal']) suffix
  union all select f.merchant_id, f.id, f.id || suffix from refunds f, generate_series(1, f.corrections) n,
    unnest(array[':again:' || n, ':again:' || n || ':overflow', ':reversal:' || n]) suffix
), t as (
  select k.merchant_id, k.id, case t.credit_account when 'settlement:bank' then t.amount else -t.amount end as paid
  from k join ledger_transfers t on t.merchant_id = k.merchant_id and t.key = k.key and t.result = 'posted'
)
select f.merchant_id, f.id, f.status, sum(t.paid) from refunds f
left join t on t.merchant_id = f.merchant_id and t.id = f.id
group by f.merchant_id, f.id, f.status, f.amount
having coalesce(sum(t.paid), 0) <> case f.status when 'paid' then f.amount else 0 end;

-- name: a link says what its refunds are, and they are no more than came, unless a bank paid one after it had failed or come back
with f as (
  select merchant_id, link_id, coalesce(sum(amount) filter (where status = 'paid'), 0) as refunded,
    coalesce(sum(amount) filter (where status in ('needs_account', 'processing')), 0) as refunding, bool_or(is_late or corrections > 0) as is_late
  from refunds group by merchant_id, link_id
), l as (
  select merchant_id, id, amount, refunded_amount, refunding_amount from payment_links where refunded_amount <> 0 or refunding_amount <> 0
)
select coalesce(l.merchant_id, f.merchant_id) as merchant_id, coalesce(l.id, f.link_id) as link_id, l.refunded_amount, l.refunding_amount, f.refunded, f.refunding
from l full join f on f.merchant_id = l.merchant_id and f.link_id = l.id
where (coalesce(l.refunded_amount, 0), coalesce(l.refunding_amount, 0)) <> (coalesce(f.refunded, 0), coalesce(f.refunding, 0))
  or (l.refunded_amount + l.refunding_amount > l.amount and not coalesce(f.is_late, false));

-- name: a refund is of the transfer that paid its link
select f.merchant_id, f.id, b.disposition from refunds f
left join payment_links l on l.merchant_id = f.merchant_id and l.id = f.link_id
left join bank_transfers b on b.merchant_id = f.merchant_id and b.id = f.transfer_id
where (l.reference, b.link_id, b.session_id) is distinct from (f.payment_reference, f.link_id, f.transfer_session_id)
  or b.disposition not in ('accepted', 'recalled') or (b.disposition = 'recalled' and f.status = 'needs_account');

-- name: an approved request has its payout, which two people decided, and no other request has one
select coalesce(r.merchant_id, p.merchant_id) as merchant_id, r.id, r.decision, p.id as payout_id from payout_requests r
full join (select * from payouts where request_id is not null) p on p.merchant_id = r.merchant_id and p.request_id = r.id
where (r.decision is not distinct from 'approved') <> (p.id is not null)
  or (p.id is not null and (p.made_by, p.approved_by, p.amount, p.bank_account_id) is distinct from (r.made_by, r.decided_by, r.amount, r.bank_account_id));

-- name: each correction of a purchase is an exception that an operator can see
select p.merchant_id, p.id, p.corrections, count(e.correction) from purchases p
left join purchase_exceptions e on e.merchant_id = p.merchant_id and e.purchase_id = p.id and e.kind <> 'ignored'
group by p.merchant_id, p.id, p.corrections
having count(e.correction) <> p.corrections;

-- name: a product's price equals its newest price record
select p.id, p.selling_price, h.selling_price as last_price from products p
left join lateral (select h.selling_price from product_prices h where h.product_id = p.id order by h.valid_from desc limit 1) h on true
where p.selling_price is distinct from h.selling_price;

-- name: the wallet figures of each day equal the wallet's changes over the counted entries, by type
select * from (
  select merchant_id, day, type, count, kobo from daily_figures where source = 'wallet'
) f full join (
  -- An entry belongs to the latest day of all entries up to it: the months of statements begin by the same rule.
  select e.merchant_id, e.day, coalesce(t.meta->>'type', 'adjustment') as type,
    count(*) as entries, sum(case e.side when 'credit' then e.posted else -e.posted end) as change
  from (
    select *, max((created_at at time zone 'Africa/Lagos')::date) over (partition by merchant_id order by seq) as day
    from ledger_entries where account = 'wallet'
  ) e join figure_cursors c on c.merchant_id = e.merchant_id and e.seq <= c.wallet_seq
  left join ledger_transfers t on t.merchant_id = e.merchant_id and t.id = e.transfer_id
  where e.posted <> 0
  group by e.merchant_id, e.day, coalesce(t.meta->>'type', 'adjustment')
) e using (merchant_id, day, type)
where (f.count, f.kobo) is distinct from (e.entries, e.change);

-- name: the event figures of each day count the counted events, by type
select * from (select merchant_id, day, type, count from daily_figures where source = 'event') f full join (
  select e.merchant_id, e.day, e.type, count(*) as events
  from (
    select merchant_id, sequence, type, max((created_at at time zone 'Africa/Lagos')::date) over (partition by merchant_id order by sequence) as day
    from events
  ) e join figure_cursors c on c.merchant_id = e.merchant_id and e.sequence <= c.event_sequence
  group by e.merchant_id, e.day, e.type
) e using (merchant_id, day, type)
where f.count is distinct from e.events;

-- name: no cursor of figures is beyond the last entry or event
select c.merchant_id, c.wallet_seq, a.seq, c.event_sequence, e.last_sequence from figure_cursors c
left join ledger_accounts a on a.merchant_id = c.merchant_id and a.account = 'wallet'
left join event_counters e on e.merchant_id = c.merchant_id
where c.wallet_seq > coalesce(a.seq, 0) or c.event_sequence > coalesce(e.last_sequence, 0);
