-- What is looked up by key here is looked up one by one (`lateral … limit 1`), and no table is read whole: a plan that was made while the
-- tables were small, and is kept, would otherwise read all that a merchant has (decision 0013).

-- Many holds, captures and releases at once, none of which is refused or was posted before, are written together: one statement for all of
-- them, one update for each account. Whatever is not so plain goes the way of single transfers, which answers the same.

-- What a batch's items are to become, in their order. Captures and releases have the accounts of their hold; without one they have none.
create function ledger_plan(p_merchant text, p_items jsonb[])
returns table (n bigint, id text, key text, hash text, kind ledger_transfer_kind, target text, debit text, credit text, currency currency,
  amount bigint, held bigint, resolves text, meta jsonb)
language sql stable as $$
  select i.n, i.item->>'id', i.item->>'key', md5((i.item - 'id')::text), (i.item->>'kind')::ledger_transfer_kind, i.item->>'target',
    coalesce(h.debit_account, i.item->>'debit'), coalesce(h.credit_account, i.item->>'credit'), coalesce(h.currency, (i.item->>'currency')::currency),
    case i.item->>'kind' when 'release' then h.amount else coalesce((i.item->>'amount')::bigint, h.amount) end,
    h.amount, h.id, coalesce(i.item->'meta', '{}')
  from unnest(p_items) with ordinality as i(item, n)
  left join lateral (
    select * from ledger_transfers where merchant_id = p_merchant and key = i.item->>'target' and result = 'posted' and kind = 'hold' limit 1
  ) h on i.item->>'kind' in ('capture', 'release')
$$;
--> statement-breakpoint

-- Whether none of it can be refused, whatever came before it in the batch. The accounts are locked.
create function ledger_is_plain(p_merchant text, p_items jsonb[]) returns boolean language sql stable as $$
  with planned as materialized (select * from ledger_plan(p_merchant, p_items))
  select not exists (select from unnest(p_items) item where item->>'kind' not in ('hold', 'capture', 'release') or item ? 'overflow' or (item->>'linked')::boolean)
    and (select count(distinct key) = count(*) and count(distinct target) = count(target) from planned)
    and not exists (select from planned p cross join lateral (select from ledger_transfers where merchant_id = p_merchant and key = p.key limit 1) known)
    and not exists (
      select from planned p cross join lateral (select from ledger_transfers where merchant_id = p_merchant and resolves_id = p.resolves and result = 'posted' limit 1) resolved
    )
    and not exists (
      select from planned p
      left join ledger_accounts d on d.merchant_id = p_merchant and d.account = p.debit
      left join ledger_accounts c on c.merchant_id = p_merchant and c.account = p.credit
      where coalesce(p.amount, 0) <= 0 or d.account is null or c.account is null or d.account = c.account or d.currency <> p.currency or c.currency <> p.currency
        or (p.kind <> 'hold' and (p.resolves is null or p.amount > p.held))
        or (p.kind = 'hold' and c.floored and c.normal_side = 'debit')
    )
    and not exists (
      select from (select debit, sum(amount) as amount from planned where kind = 'hold' group by debit) p
      join ledger_accounts d on d.merchant_id = p_merchant and d.account = p.debit
      where d.floored and d.normal_side = 'credit' and ledger_available(d) < p.amount
    )
$$;
--> statement-breakpoint

create function ledger_post_plain(p_merchant text, p_items jsonb[])
returns table (key text, result ledger_result, rejection text, transfer_id text, amount bigint, replayed boolean)
language sql as $$
  with planned as materialized (
    select *, case kind when 'capture' then amount else 0 end as posted, case kind when 'hold' then amount else -held end as pending
    from ledger_plan(p_merchant, p_items)
  ), transfers as (
    insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount, resolves_id, meta)
    select p_merchant, id, key, hash, kind, 'posted', debit, credit, currency, amount, resolves, meta from planned order by n
  ), legs as (
    select n, 0 as position, id, 'debit'::ledger_side as side, debit as account, posted, pending from planned
    union all select n, 1, id, 'credit', credit, posted, pending from planned
  ), entries as (
    insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after)
    select p_merchant, l.account, a.seq + row_number() over so_far, l.id, l.side, l.posted, l.pending,
      case a.normal_side when 'credit' then a.posted_credits - a.posted_debits else a.posted_debits - a.posted_credits end
        + sum(case when l.side = a.normal_side then l.posted else -l.posted end) over so_far
    from legs l join ledger_accounts a on a.merchant_id = p_merchant and a.account = l.account
    window so_far as (partition by l.account order by l.n, l.position rows unbounded preceding)
  ), accounts as (
    update ledger_accounts a set
      posted_debits = a.posted_debits + s.posted_debits, pending_debits = a.pending_debits + s.pending_debits,
      posted_credits = a.posted_credits + s.posted_credits, pending_credits = a.pending_credits + s.pending_credits, seq = a.seq + s.entries
    from (
      select account, count(*) as entries,
        coalesce(sum(posted) filter (where side = 'debit'), 0)::bigint as posted_debits, coalesce(sum(pending) filter (where side = 'debit'), 0)::bigint as pending_debits,
        coalesce(sum(posted) filter (where side = 'credit'), 0)::bigint as posted_credits, coalesce(sum(pending) filter (where side = 'credit'), 0)::bigint as pending_credits
      from legs group by account
    ) s
    where a.merchant_id = p_merchant and a.account = s.account
  )
  select key, 'posted'::ledger_result, null::text, id, amount, false from planned order by n
$$;
--> statement-breakpoint

-- One hold, capture or release that is not refused and was not posted before, with no more than that takes. Answers nothing where it is
-- not so plain, and has changed nothing then.
create function ledger_post_one(p_merchant text, t jsonb)
returns table (key text, result ledger_result, rejection text, transfer_id text, amount bigint, replayed boolean) language plpgsql as $$
#variable_conflict use_column
declare
  v_kind ledger_transfer_kind := (t->>'kind')::ledger_transfer_kind;
  v_debit text := t->>'debit';
  v_credit text := t->>'credit';
  v_currency currency := (t->>'currency')::currency;
  v_amount bigint := (t->>'amount')::bigint;
  v_posted bigint := 0;
  v_pending bigint;
  v_hold ledger_transfers;
  d ledger_accounts;
  c ledger_accounts;
begin
  if v_kind <> 'hold' then
    select * into v_hold from ledger_transfers where merchant_id = p_merchant and key = t->>'target';
    if not found or v_hold.result <> 'posted' or v_hold.kind <> 'hold' then return; end if;
    v_debit := v_hold.debit_account;
    v_credit := v_hold.credit_account;
    v_currency := v_hold.currency;
    v_amount := case v_kind when 'release' then v_hold.amount else coalesce(v_amount, v_hold.amount) end;
    if v_amount > v_hold.amount then return; end if;
    v_posted := case v_kind when 'capture' then v_amount else 0 end;
  end if;
  v_pending := case v_kind when 'hold' then v_amount else -v_hold.amount end;
  if v_amount is null or v_amount <= 0 or v_debit is null or v_credit is null or v_debit = v_credit then return; end if;

  -- In the order of their names, as every batch locks them.
  if v_debit < v_credit then
    select * into d from ledger_accounts where merchant_id = p_merchant and account = v_debit for update;
    select * into c from ledger_accounts where merchant_id = p_merchant and account = v_credit for update;
  else
    select * into c from ledger_accounts where merchant_id = p_merchant and account = v_credit for update;
    select * into d from ledger_accounts where merchant_id = p_merchant and account = v_debit for update;
  end if;
  if d.currency is distinct from v_currency or c.currency is distinct from v_currency then return; end if;
  perform from ledger_transfers where merchant_id = p_merchant and key = t->>'key';
  if found then return; end if;
  if v_kind = 'hold' then
    if d.floored and d.normal_side = 'credit' and ledger_available(d) < v_amount then return; end if;
    if c.floored and c.normal_side = 'debit' then return; end if;
  else
    perform from ledger_transfers where merchant_id = p_merchant and resolves_id = v_hold.id and result = 'posted';
    if found then return; end if;
  end if;

  insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount, resolves_id, meta)
  values (p_merchant, t->>'id', t->>'key', md5((t - 'id')::text), v_kind, 'posted', v_debit, v_credit, v_currency, v_amount, v_hold.id, coalesce(t->'meta', '{}'));
  update ledger_accounts set posted_debits = posted_debits + v_posted, pending_debits = pending_debits + v_pending, seq = seq + 1
  where merchant_id = p_merchant and account = v_debit;
  update ledger_accounts set posted_credits = posted_credits + v_posted, pending_credits = pending_credits + v_pending, seq = seq + 1
  where merchant_id = p_merchant and account = v_credit;
  insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after) values
    (p_merchant, v_debit, d.seq + 1, t->>'id', 'debit', v_posted, v_pending,
      case d.normal_side when 'credit' then d.posted_credits - d.posted_debits - v_posted else d.posted_debits + v_posted - d.posted_credits end),
    (p_merchant, v_credit, c.seq + 1, t->>'id', 'credit', v_posted, v_pending,
      case c.normal_side when 'credit' then c.posted_credits + v_posted - c.posted_debits else c.posted_debits - c.posted_credits - v_posted end);
  return query select t->>'key', 'posted'::ledger_result, null::text, t->>'id', v_amount, false;
end
$$;
--> statement-breakpoint

create or replace function ledger_post(p_merchant text, p_batch jsonb)
returns table (key text, result ledger_result, rejection text, transfer_id text, amount bigint, replayed boolean)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_items jsonb[];
  v_size int;
  v_first int := 1;
  v_last int;
  v_known ledger_transfers;
  v_reasons text[];
  v_hashes text[];
  v_new int;
  v_failed int;
begin
  select array_agg(item order by position) into v_items from jsonb_array_elements(p_batch) with ordinality as b(item, position);
  v_size := coalesce(array_length(v_items, 1), 0);
  if v_size = 0 or v_size > 1000 then raise exception 'a batch has 1 to 1000 transfers, not %', v_size using errcode = '22023'; end if;

  if v_size = 1 and v_items[1]->>'kind' in ('hold', 'capture', 'release') and not v_items[1] ? 'overflow' then
    return query select * from ledger_post_one(p_merchant, v_items[1]);
    if found then return; end if;
  end if;

  -- Every account of the batch is locked first, in one order, so that two batches never wait for each other in a circle.
  perform 1 from ledger_accounts a
  where a.merchant_id = p_merchant and a.account in (
    select unnest(array[i->>'debit', i->>'credit', i->>'overflow']) from unnest(v_items) i
    union select unnest(array[h.debit_account, h.credit_account]) from unnest(v_items) i
      cross join lateral (select * from ledger_transfers where merchant_id = p_merchant and key = i->>'target' limit 1) h
  )
  order by a.account for update;

  if v_size > 1 and ledger_is_plain(p_merchant, v_items) then
    return query select * from ledger_post_plain(p_merchant, v_items);
    return;
  end if;

  while v_first <= v_size loop
    v_last := v_first;
    while v_last < v_size and coalesce((v_items[v_last]->>'linked')::boolean, false) loop v_last := v_last + 1; end loop;

    v_new := 0;
    v_failed := null;
    for n in v_first..v_last loop
      -- The id is the caller's fresh name for the row; everything else is the request.
      v_hashes[n] := md5((v_items[n] - 'id')::text);
      v_reasons[n] := null;
      select * into v_known from ledger_transfers k where k.merchant_id = p_merchant and k.key = v_items[n]->>'key';
      if not found then
        v_new := v_new + 1;
      elsif v_known.request_hash <> v_hashes[n] then
        v_reasons[n] := 'KEY_REUSED';
        v_failed := n;
      end if;
    end loop;

    -- A chain of which a part was answered before is another request than the one that was.
    if v_failed is not null or v_new between 1 and v_last - v_first then
      for n in v_first..v_last loop
        return query select v_items[n]->>'key', 'rejected'::ledger_result, coalesce(v_reasons[n], case when v_failed is null then 'KEY_REUSED' else 'LINKED_REJECTED' end),
          null::text, null::bigint, false;
      end loop;
    elsif v_new = 0 then
      for n in v_first..v_last loop
        return query select * from ledger_answer(p_merchant, v_items[n], v_hashes[n]);
      end loop;
    elsif v_first = v_last then
      v_reasons[v_first] := ledger_apply(p_merchant, v_items[v_first], v_hashes[v_first]);
      if v_reasons[v_first] is not null then
        perform ledger_record_rejection(p_merchant, v_items[v_first], v_hashes[v_first], v_reasons[v_first]);
      end if;
      return query select * from ledger_answer(p_merchant, v_items[v_first], v_hashes[v_first]);
    else
      -- A chain: the block below is undone as a whole when a member is refused, and every member is recorded as rejected.
      begin
        for n in v_first..v_last loop
          v_reasons[n] := ledger_apply(p_merchant, v_items[n], v_hashes[n]);
          if v_reasons[n] is not null then
            v_failed := n;
            raise exception using errcode = 'OJ001';
          end if;
        end loop;
      exception when sqlstate 'OJ001' then null;
      end;
      if v_failed is not null then
        for n in v_first..v_last loop
          perform ledger_record_rejection(p_merchant, v_items[n], v_hashes[n], case when n = v_failed then v_reasons[n] else 'LINKED_REJECTED' end);
        end loop;
      end if;
      for n in v_first..v_last loop
        return query select * from ledger_answer(p_merchant, v_items[n], v_hashes[n]);
      end loop;
    end if;
    v_first := v_last + 1;
  end loop;
end
$$;
--> statement-breakpoint

-- The id of the delivery of an event to an endpoint. It follows from both, so that the primary key keeps a second one from being made, and
-- begins with the event's time, so that ids sort by it.
create function delivery_id(p_endpoint text, p_event text) returns text language sql immutable as $$
  select 'dlv_' || substr(p_event, 5, 10) || upper(substr(md5(p_endpoint || '/' || p_event), 1, 16))
$$;
--> statement-breakpoint

-- Adds events ({ id, type, data }, in order) to a merchant's feed, with a delivery for each endpoint that wants them, and answers those
-- endpoints; null where the merchant has no counter. To be called last in a transaction: it locks the counter, which keeps the sequence free of gaps.
create function append_events(p_merchant text, p_events json) returns text[] language sql as $$
  with next as (
    update event_counters set last_sequence = last_sequence + json_array_length(p_events) where merchant_id = p_merchant
    returning last_sequence - json_array_length(p_events) as base
  ), event as (
    insert into events (merchant_id, sequence, id, type, data)
    select p_merchant, next.base + given.n, given.event->>'id', given.event->>'type', given.event->'data'
    from next, json_array_elements(p_events) with ordinality as given(event, n)
    returning sequence, id, type
  ), delivery as (
    insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence)
    select p_merchant, delivery_id(w.id, event.id), w.id, event.id, event.type, event.sequence
    from event, webhook_endpoints w
    where w.merchant_id = p_merchant and w.status = 'enabled' and (w.event_types is null or event.type = any(w.event_types))
    returning endpoint_id
  )
  select array(select distinct endpoint_id from delivery) from next
$$;
--> statement-breakpoint

-- Stores purchases (as quoted) and sets their money aside. Answers each in order: `claimed`, `known` (its id is stored already), `overtaken`
-- (another try with its Idempotency-Key has taken over, and may have been told that nothing happened), `insufficient`, or `duplicate` with the id of the one that it repeats. Two processes look for duplicates one after the other, since both lock the
-- account that every purchase posts to.
create function claim_purchases(p_merchant text, p_purchases jsonb, p_recipients text[], p_duplicate_within interval, p_wait interval)
returns table (id text, status text, duplicate_of text, created_at timestamptz, next_attempt_at timestamptz) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_item jsonb;
  v_seen jsonb := '{}';
  v_thing text;
  v_states jsonb := '{}';
  v_holds jsonb := '[]';
  v_wanted jsonb := '[]';
  v_refused text;
begin
  perform from ledger_accounts where merchant_id = p_merchant and account = 'settlement:vtu' for update;
  if cardinality(p_recipients) > 0 then
    select coalesce(jsonb_object_agg(concat_ws('/', recipient, product_id, variant, amount), id), '{}') into v_seen from purchases
    -- Written so that no index on the merchant serves it: by its recipients alone.
    where merchant_id || '' = p_merchant and recipient = any(p_recipients) and created_at > now() - p_duplicate_within
      and status in ('processing', 'success');
  end if;
  for v_item in select jsonb_array_elements(p_purchases) loop
    v_thing := concat_ws('/', v_item->>'recipient', v_item->>'productId', v_item->>'variant', v_item->>'amount');
    if v_item->'claim' <> 'null' then
      perform from idempotency_keys where merchant_id = p_merchant and scope = v_item->'claim'->>'scope' and key = v_item->'claim'->>'key'
        and state = 'running' and locked_until = (v_item->'claim'->>'lockedUntil')::timestamptz for share;
      if not found then
        v_states := v_states || jsonb_build_object(v_item->>'id', jsonb_build_array('overtaken'));
        continue;
      end if;
    end if;
    if exists (select from purchases where merchant_id = p_merchant and id = v_item->>'id') then
      v_states := v_states || jsonb_build_object(v_item->>'id', jsonb_build_array('known'));
    elsif not (v_item->>'isMeant')::boolean and v_seen ? v_thing then
      v_states := v_states || jsonb_build_object(v_item->>'id', jsonb_build_array('duplicate', v_seen->v_thing));
    else
      if v_item->>'recipient' is not null then v_seen := v_seen || jsonb_build_object(v_thing, v_item->>'id'); end if;
      v_wanted := v_wanted || v_item;
      v_holds := v_holds || (v_item->'hold');
    end if;
  end loop;
  if v_wanted <> '[]' then
    v_states := v_states || (
      select jsonb_object_agg(w.item->>'id', jsonb_build_array(case when h.result = 'posted' then 'claimed' else h.rejection end))
      from jsonb_array_elements(v_wanted) with ordinality as w(item, n)
      join (select row_number() over () as n, * from ledger_post(p_merchant, v_holds)) h on h.n = w.n);
  end if;
  select key into v_refused from jsonb_each(v_states) where value->>0 not in ('claimed', 'known', 'overtaken', 'duplicate', 'INSUFFICIENT_FUNDS', 'KEY_REUSED') limit 1;
  if v_refused is not null then raise exception 'the ledger refused the hold of %: %', v_refused, v_states->v_refused->>0; end if;
  return query
    with fresh as (
      insert into purchases (merchant_id, id, service, provider, product_id, product_code, product_name, recipient, variant, customer, quantity,
        unit_price, amount, next_attempt_at)
      select p_merchant, g.id, g.service, g.provider, g."productId", g."productCode", g."productName", g.recipient, g.variant, g.customer, g.quantity,
        g."unitPrice", g.amount, now() + p_wait
      from jsonb_to_recordset(v_wanted) as g(id text, service vtu_service, provider text, "productId" int, "productCode" text, "productName" text,
        recipient text, variant text, customer jsonb, quantity int, "unitPrice" bigint, amount bigint)
      where v_states->g.id->>0 = 'claimed'
      returning purchases.id, provider, created_at, next_attempt_at
    ), directory as (
      insert into aggregator_references (provider, purchase_id, merchant_id) select provider, id, p_merchant from fresh
    )
    select i.item->>'id',
      case
        -- A hold of another request under the key, and no purchase: an earlier try at another price that was refused.
        when v_states->(i.item->>'id')->>0 in ('INSUFFICIENT_FUNDS', 'KEY_REUSED') then 'insufficient'
        -- One that repeats what was not covered is not covered either.
        when v_states->(v_states->(i.item->>'id')->>1)->>0 in ('INSUFFICIENT_FUNDS', 'KEY_REUSED') then 'insufficient'
        else v_states->(i.item->>'id')->>0
      end,
      v_states->(i.item->>'id')->>1, f.created_at, f.next_attempt_at
    from jsonb_array_elements(p_purchases) with ordinality as i(item, n) left join fresh f on f.id = i.item->>'id' order by i.n;
end
$$;
--> statement-breakpoint

-- Settles purchases that are processing, in one statement: purchase, ledger and event together. Each word brings what the row becomes, its
-- ledger transfer and its event. Answers the ids that it settled, and the endpoints that are to hear of it; a purchase that is not
-- processing any more is left alone.
create function settle_purchases(p_merchant text, p_words json, p_look_again interval)
returns table (settled text[], endpoints text[]) language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_ids text[];
  v_words json;
  v_refused text;
  v_endpoints text[];
begin
  select array_agg(w->>'id') into v_ids from json_array_elements(p_words) w;
  select array_agg(id) into v_ids from (
    select id from purchases where merchant_id = p_merchant and id = any(v_ids) and status = 'processing' order by id for update
  ) locked;
  if v_ids is null then return query select '{}'::text[], '{}'::text[]; return; end if;
  select json_agg(w order by n) into v_words from json_array_elements(p_words) with ordinality as words(w, n) where w->>'id' = any(v_ids);
  select r.key || ': ' || r.rejection into v_refused
  from ledger_post(p_merchant, (select jsonb_agg((w->'transfer')::jsonb order by n) from json_array_elements(v_words) with ordinality as words(w, n))) r
  where r.result = 'rejected' limit 1;
  if v_refused is not null then raise exception 'the ledger refused %', v_refused; end if;
  update purchases p set status = g.status, charged = g.charged, secrets = g.secrets, units = g.units, failure_reason = g."failureReason",
    completed_at = g."completedAt", attempts = 0,
    next_attempt_at = case when p.turn > 0 or p.next_attempt_at <= clock_timestamp() then p.next_attempt_at else now() + p_look_again end
  from json_to_recordset(v_words) as g(id text, status purchase_status, charged bigint, secrets text, units text, "failureReason" text, "completedAt" timestamptz)
  -- `any` as well: by its ids alone, and not by joining all that the merchant has.
  where p.merchant_id = p_merchant and p.id = any(v_ids) and p.id = g.id;
  v_endpoints := append_events(p_merchant, (select json_agg(w->'event' order by n) from json_array_elements(v_words) with ordinality as words(w, n)));
  if v_endpoints is null then raise exception 'merchant % has no event counter', p_merchant; end if;
  return query select v_ids, v_endpoints;
end
$$;
