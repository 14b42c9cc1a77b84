-- Checks each ledger posting against the record that caused it, and each final record against the rows that it must have. Each query returns the
-- rows that break its rule. `span(…)` limits the rows that a query starts from to a period, if the caller names one. The compared rows are
-- read by their keys, whatever their time.

-- name: every posting has a cause: a thing that its key names, and that could have made it in its state, for its amount and between its accounts
with posted as (
  select t.merchant_id, t.key, t.kind, t.amount, t.debit_account, t.credit_account, t.overflowed,
    regexp_replace(t.key, ':(overflow|recovery)$', '') as cause, t.key ~ ':(overflow|recovery)$' as is_added
  from ledger_transfers t where t.result = 'posted' and span(t.created_at)
), named as (
  select p.*, split_part(cause, ':', 1) as n1, split_part(cause, ':', 2) as n2, split_part(cause, ':', 3) as n3, split_part(cause, ':', 4) as n4,
    -- If the wallet has nothing, the whole amount is debited from the receivable, under the posting's own key.
    array[case when overflowed and not is_added and debit_account = 'receivable:merchant' then 'wallet' else debit_account end, credit_account] as accounts
  from posted p
)
select p.merchant_id, p.key, p.kind, p.amount, p.debit_account, p.credit_account from named p
where not coalesce(case
  -- The ledger adds these postings itself: the part of a debit that the wallet does not cover, and the repayment of a debt from a credit.
  when p.is_added then exists (
    select from ledger_transfers b where b.merchant_id = p.merchant_id and b.key = p.cause and b.result = 'posted'
      and case when p.kind = 'recover' then p.debit_account = 'wallet' and p.credit_account = 'receivable:merchant'
        else b.overflowed and p.debit_account = 'receivable:merchant' and p.credit_account = b.credit_account end)
  when p.n1 = 'bank_transfer' then (
    select case p.n3
      when '' then p.kind = 'post' and p.amount = b.amount and p.debit_account = 'settlement:bank'
        and p.credit_account = case when b.disposition in ('accepted', 'recalled') then 'wallet' else 'suspense' end
      when 'recall' then b.disposition = 'recalled' and p.amount <= b.amount and p.accounts = array['wallet', 'settlement:bank']
      when 'return' then b.return_state = 'done' and p.amount = b.amount and p.accounts = array['suspense', 'settlement:bank']
    end from bank_transfers b where b.merchant_id = p.merchant_id and b.id = p.n2)
  when p.n1 like 'cop\_%' then (
    select case case p.n2 when 'refund_taken_back' then 'taken_back' else p.n2 end
      when 'hold' then p.kind = 'hold' and case o.type when 'unload' then p.amount >= o.amount and p.debit_account = 'card:' || o.card_id
        else p.amount = o.wallet_amount and p.debit_account = 'wallet' end
      when 'release' then p.kind = 'release' and o.status <> 'processing'
      when 'wallet' then o.status = 'completed' and p.amount <= o.wallet_amount
        and p.accounts = case when o.type in ('issue', 'fund') or o.amount < 0 then array['wallet', 'fx:ngn'] else array['fx:ngn', 'wallet'] end
      when 'spread' then o.status = 'completed' and p.accounts = array['fx:ngn', 'revenue:spread']
      when 'card' then o.status = 'completed' and p.amount = abs(o.amount)
        and p.accounts = case when o.type = 'fund' or o.amount < 0 then array['fx:usd', 'card:' || o.card_id] else array['card:' || o.card_id, 'fx:usd'] end
      -- A late funding gives money back. A late unload takes back a credit or refund, or the wallet pays for spend. Both may undo a spread.
      when 'given_back' then o.corrected_at is not null and o.type = 'fund' and case p.n3
        when 'card' then p.accounts = array['card:' || o.card_id, 'fx:usd'] when 'wallet' then p.accounts = array['fx:ngn', 'wallet']
        when 'spread' then p.accounts in (array['fx:ngn', 'revenue:spread'], array['revenue:spread', 'fx:ngn']) end
      when 'taken_back' then o.corrected_at is not null and o.type = 'unload' and case p.n3
        when 'card' then p.accounts = array['fx:usd', 'card:' || o.card_id] when 'wallet' then p.accounts = array['wallet', 'fx:ngn']
        when 'spread' then p.accounts in (array['fx:ngn', 'revenue:spread'], array['revenue:spread', 'fx:ngn']) end
      when 'paid_for_spend' then o.corrected_at is not null and o.type = 'unload' and case p.n3
        when 'card' then p.accounts = array['fx:usd', 'card:' || o.card_id] when 'wallet' then p.accounts = array['wallet', 'fx:ngn']
        when 'spread' then p.accounts = array['fx:ngn', 'revenue:spread'] end
      when 'fee' then o.status = 'completed' and p.amount = o.fee and p.accounts = array['fx:usd', 'revenue:fees']
    end from card_operations o where o.merchant_id = p.merchant_id and o.id = p.n1)
  when p.n1 = 'card_transaction' then (
    select case
      when p.n3 in ('', 'rest', 'beyond', 'expired', 'reversed_before') and p.n4 = '' then
        (p.kind = 'release' or p.n3 = 'rest' or p.amount <= x.amount) and p.accounts = case
          when p.n3 = 'reversed_before' or p.n3 = 'beyond' and x.type = 'REVERSAL' or p.n3 = '' and x.type = 'REFUND'
            then array['settlement:issuer', 'card:' || x.card_id]
          else array['card:' || x.card_id, 'settlement:issuer'] end
      when p.n3 = 'passed_on' or (p.n3 = 'expired' and p.n4 = 'passed_on') then
        p.accounts in (array['card:' || x.card_id, 'fx:usd'], array['fx:usd', 'card:' || x.card_id],
          array['wallet', 'fx:ngn'], array['fx:ngn', 'wallet'], array['fx:ngn', 'revenue:spread'])
    end from card_transactions x where x.merchant_id = p.merchant_id and x.id = p.n2 and x.provider_transaction_id > '')
  when p.n1 like 'sus\_%' then (
    select p.n2 ~ '^\d{1,6}$' and p.n2::int <= i.moves and case p.n3
      when 'card' then p.amount <= abs(i.amount) and p.debit_account <> p.credit_account
        and p.accounts <@ array['card:' || i.card_id, 'suspense:issuer', 'settlement:issuer', 'fx:usd'] and 'card:' || i.card_id = any(p.accounts)
      when 'issuer' then p.amount <= abs(i.amount) and p.accounts in (array['suspense:issuer', 'settlement:issuer'], array['settlement:issuer', 'suspense:issuer'])
      when 'credit' then p.amount <= i.amount and p.accounts = array['suspense:issuer', 'fx:usd']
      when 'wallet' then p.accounts in (array['wallet', 'fx:ngn'], array['fx:ngn', 'wallet'])
      when 'spread' then p.accounts = array['fx:ngn', 'revenue:spread']
    end from suspense_items i where i.merchant_id = p.merchant_id and i.id = p.n1)
  when p.n1 like 'po\_%' then (
    select case p.n2
      when 'hold' then p.kind = 'hold' and p.amount = o.amount + o.fee and p.accounts = array['wallet', 'settlement:bank']
      when 'capture' then p.kind = 'capture' and p.amount = o.amount + o.fee and o.status in ('paid', 'reversed') and not o.is_late
        and p.accounts = array['wallet', 'settlement:bank']
      when 'release' then p.kind = 'release' and (o.status = 'failed' or o.is_late)
      when 'late' then o.is_late and p.amount <= o.amount + o.fee and p.accounts = array['wallet', 'settlement:bank']
      when 'reversal' then (o.status = 'reversed' or o.corrections > coalesce(nullif(p.n3, '')::int, 0)) and coalesce(nullif(p.n3, '')::int, 0) <= o.corrections and p.amount = o.amount + o.fee and p.accounts = array['settlement:bank', 'wallet']
      when 'again' then p.n3 ~ '^[1-9]\d{0,2}$' and p.n3::int <= o.corrections and p.amount <= o.amount + o.fee and p.accounts = array['wallet', 'settlement:bank']
      when 'fee' then o.status in ('paid', 'reversed') and p.amount = o.fee and p.accounts = array['settlement:bank', 'revenue:payouts']
      when 'fee_back' then (o.status = 'reversed' or o.corrections > coalesce(nullif(p.n3, '')::int, 0)) and coalesce(nullif(p.n3, '')::int, 0) <= o.corrections and p.amount = o.fee and p.accounts = array['revenue:payouts', 'settlement:bank']
      when 'fee_again' then p.n3 ~ '^[1-9]\d{0,2}$' and p.n3::int <= o.corrections and p.amount = o.fee and p.accounts = array['settlement:bank', 'revenue:payouts']
    end from payouts o where o.merchant_id = p.merchant_id and o.id = p.n1)
  when p.n1 like 'rfd\_%' then (
    select case p.n2
      when 'hold' then p.kind = 'hold' and p.amount = o.amount and p.accounts = array['wallet', 'settlement:bank']
      when 'capture' then p.kind = 'capture' and p.amount = o.amount and o.status in ('paid', 'reversed') and not o.is_late
        and p.accounts = array['wallet', 'settlement:bank']
      when 'release' then p.kind = 'release' and (o.status = 'failed' or o.is_late)
      when 'late' then o.is_late and p.amount <= o.amount and p.accounts = array['wallet', 'settlement:bank']
      when 'reversal' then (o.status = 'reversed' or o.corrections > coalesce(nullif(p.n3, '')::int, 0)) and coalesce(nullif(p.n3, '')::int, 0) <= o.corrections and p.amount = o.amount and p.accounts = array['settlement:bank', 'wallet']
      when 'again' then p.n3 ~ '^[1-9]\d{0,2}$' and p.n3::int <= o.corrections and p.amount <= o.amount and p.accounts = array['wallet', 'settlement:bank']
    end from refunds o where o.merchant_id = p.merchant_id and o.id = p.n1)
  when p.n1 like 'vtu\_%' then (
    select p.accounts = case p.n2 when 'reversal' then array['settlement:vtu', 'wallet'] else array['wallet', 'settlement:vtu'] end and case p.n2
      when 'hold' then p.kind = 'hold' and p.amount = u.amount
      when 'capture' then p.kind = 'capture' and p.amount <= u.amount and u.status <> 'processing'
      when 'release' then p.kind = 'release' and u.status <> 'processing'
      when 'late' then p.n3 ~ '^\d{1,3}$' and p.n3::int <= u.corrections and p.amount <= u.amount
      when 'reversal' then p.n3 ~ '^\d{1,3}$' and p.n3::int <= u.corrections and p.amount <= u.amount
    end from purchases u where u.merchant_id = p.merchant_id and u.id = p.n1)
end, false);

-- name: dollars of an ended card that were exchanged moved the wallet by their worth at their rate, in their direction, and nothing else did
with exchanged as (
  select distinct t.merchant_id, regexp_replace(t.key, ':(card|credit|wallet)$', '') as base from ledger_transfers t
  where t.result = 'posted' and span(t.created_at)
    and t.key ~ '(:passed_on|:given_back|:taken_back|:refund_taken_back|:paid_for_spend|^sus_[^:]+:[0-9]+):(card|credit|wallet)$'
), moved as (
  select e.merchant_id, e.base, max(t.meta->>'exchange_rate')::numeric as rate,
    coalesce(sum(case 'fx:usd' when t.credit_account then t.amount when t.debit_account then -t.amount end), 0) as dollars,
    coalesce(sum(case when t.credit_account = 'wallet' then t.amount when t.debit_account in ('wallet', 'receivable:merchant') then -t.amount end), 0) as naira
  from exchanged e cross join unnest(array[':card', ':credit', ':wallet', ':wallet:overflow']) suffix
  join ledger_transfers t on t.merchant_id = e.merchant_id and t.key = e.base || suffix and t.result = 'posted'
  group by e.merchant_id, e.base
)
select * from moved where naira is distinct from case
  when dollars = 0 then 0 when dollars > 0 then div(dollars * rate, 10000) else -div(-dollars * rate + 9999, 10000) end;

-- name: every link, transfer, purchase, payout, refund, card operation and card transaction that is final has its event
with told as (
  select merchant_id, type, data->>'reference' as reference, data->>'id' as id from events
), due as (
  select merchant_id, case status when 'success' then 'checkout.success' else 'checkout.expired' end as type, reference, null::text as id
  from payment_links where status <> 'pending' and span(created_at)
  union all
  select b.merchant_id, case b.disposition when 'recalled' then 'checkout.transfer_recalled' else 'checkout.transfer_rejected' end, l.reference, null
  from bank_transfers b join payment_links l on l.merchant_id = b.merchant_id and l.id = b.link_id
  where b.disposition in ('returned', 'recalled') and span(b.created_at)
  union all
  select merchant_id, case status when 'success' then 'vtu.success' when 'failed' then 'vtu.failed' else 'vtu.reversed' end, id, null
  from purchases where status <> 'processing' and span(created_at)
  union all
  select merchant_id, case status when 'paid' then 'payout.paid' when 'failed' then 'payout.failed' else 'payout.reversed' end, null, id
  from payouts where status <> 'processing' and span(created_at)
  union all
  select merchant_id, case status when 'paid' then 'checkout.refund_paid' when 'failed' then 'checkout.refund_failed' else 'checkout.refund_reversed' end, null, id
  from refunds where status in ('paid', 'failed', 'reversed') and span(created_at)
  union all
  select merchant_id, case type when 'fund' then 'card.funded' else 'card.unloaded' end, null, id
  from card_operations where status = 'completed' and type in ('fund', 'unload') and span(created_at)
  union all
  select merchant_id, case when type = 'terminate' then 'card.terminated' when status = 'completed' then 'card.issued' else 'card.failed' end, null, card_id
  from card_operations where (type = 'issue' and status <> 'processing' or type = 'terminate' and status = 'completed') and span(created_at)
  union all
  select merchant_id, 'card.transaction', null, id from card_transactions where span(created_at)
)
select d.* from due d
where not exists (
  select from told t where t.merchant_id = d.merchant_id and t.type = d.type and t.reference = d.reference and d.reference is not null)
and not exists (select from told t where t.merchant_id = d.merchant_id and t.type = d.type and t.id = d.id and d.id is not null);

-- name: a delivery is of an event of its merchant, and an endpoint that was never changed has one of each event that it wants
select d.merchant_id, d.id, d.endpoint_id, d.event_id from webhook_deliveries d
left join events e on e.merchant_id = d.merchant_id and e.id = d.event_id
where d.sequence > 0 and span(d.created_at) and ((e.type, e.sequence) is distinct from (d.event_type, d.sequence))
union all
select e.merchant_id, null, w.id, e.id from webhook_endpoints w
join events e on e.merchant_id = w.merchant_id and e.created_at > w.created_at + interval '1 minute'
  and (w.event_types is null or e.type = any(w.event_types)) and span(e.created_at)
left join webhook_deliveries d on d.merchant_id = e.merchant_id and d.id = delivery_id(w.id, e.id)
where w.status = 'enabled' and d.id is null
  and not exists (select from audit_entries a where a.subject = w.id and a.action like 'webhook\_endpoint.%' and a.action <> 'webhook_endpoint.created');

-- name: a bought row of a bulk order has its purchase, and no purchase of a row that is over waits to be noted
select r.merchant_id, r.bulk_order_id, r.row, r.status, r.purchase_id from bulk_rows r
join bulk_orders o on o.merchant_id = r.merchant_id and o.id = r.bulk_order_id
left join purchases p on p.merchant_id = r.merchant_id and p.id = r.purchase_id
where span(o.created_at) and case
  when r.status = 'bought' then (p.recipient, p.amount, p.service) is distinct from (r.recipient, r.amount, o.service)
  else p.id is not null and o.status in ('done', 'cancelled')
end;

-- name: the parts of a difference with an issuer are what its own postings have left of them
with moved as (
  select i.merchant_id, i.card_id, i.kind, i.id, i.amount, i.open, i.credited, i.dismissed,
    coalesce(sum(case 'suspense:issuer' when t.credit_account then t.amount when t.debit_account then -t.amount end), 0) as left_open,
    coalesce(sum(t.amount) filter (where t.debit_account = 'suspense:issuer' and t.credit_account = 'fx:usd'), 0) as to_wallet,
    coalesce(sum(t.amount) filter (where t.debit_account = 'suspense:issuer' and t.credit_account = 'settlement:issuer'), 0) as to_issuer,
    coalesce(sum(t.amount) filter (where t.debit_account = 'settlement:issuer' and t.credit_account = 'card:' || i.card_id), 0) as from_issuer,
    coalesce(sum(t.amount) filter (where t.debit_account = 'card:' || i.card_id and t.credit_account = 'settlement:issuer'), 0) as used_by_refunds
  from suspense_items i cross join generate_series(0, i.moves) n cross join unnest(array['card', 'issuer', 'credit']) part
  left join ledger_transfers t on t.merchant_id = i.merchant_id and t.key = i.id || ':' || n || ':' || part and t.result = 'posted'
  where span(i.created_at)
  group by i.merchant_id, i.card_id, i.kind, i.id, i.amount, i.open, i.credited, i.dismissed
)
select merchant_id, id, open, credited, dismissed, left_open, to_wallet, to_issuer, from_issuer, used_by_refunds from moved
where open <> left_open or amount > 0 and case kind
  -- The part of a credit that a late unload took back is posted under the key of the unload (see the next rule).
  when 'kept_by_issuer' then credited > to_wallet or dismissed <> to_issuer - from_issuer
  else credited <> to_wallet - used_by_refunds or dismissed > to_issuer end;

-- name: the credited part of what a card's issuer kept is what operators credited, less what late unloads took back
with kept as (
  select i.merchant_id, i.card_id, sum(i.credited) as noted, sum(c.amount) as credited
  from suspense_items i left join lateral (
    select sum(t.amount) as amount from generate_series(0, i.moves) n
    join ledger_transfers t on t.merchant_id = i.merchant_id and t.key = i.id || ':' || n || ':credit' and t.result = 'posted') c on true
  where i.kind = 'kept_by_issuer' and i.amount > 0 and span(i.created_at)
  group by i.merchant_id, i.card_id
)
select k.* from kept k where k.noted <> coalesce(k.credited, 0) - (
  select coalesce(sum(t.amount), 0) from card_operations o
  join ledger_transfers t on t.merchant_id = o.merchant_id and t.key = o.id || ':taken_back:card' and t.result = 'posted'
  where o.merchant_id = k.merchant_id and o.card_id = k.card_id and o.corrected_at is not null);
