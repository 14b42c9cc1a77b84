-- What becomes available in a wallet first pays what its merchant owes: a credit, a hold that is released, and what a capture leaves of its
-- hold. Until now only credits did, and a merchant could spend a released hold while it owed.

-- Pays what is owed from what the wallet has available, as a transfer of its own under the key of `t` and `:recovery`. Both accounts are locked.
create function ledger_recover(p_merchant text, t jsonb, p_hash text) returns void language plpgsql as $$
declare
  v_wallet ledger_accounts;
  v_receivable ledger_accounts;
  v_amount bigint;
  v_reason text;
begin
  select * into v_receivable from ledger_accounts where merchant_id = p_merchant and account = 'receivable:merchant';
  if not found or ledger_available(v_receivable) <= 0 then return; end if;
  select * into v_wallet from ledger_accounts where merchant_id = p_merchant and account = 'wallet';
  v_amount := least(ledger_available(v_receivable), ledger_available(v_wallet));
  if v_amount <= 0 then return; end if;
  v_reason := ledger_apply(p_merchant, jsonb_build_object(
    'id', (t->>'id') || ':recovery', 'key', (t->>'key') || ':recovery', 'kind', 'recover', 'debit', 'wallet', 'credit', 'receivable:merchant',
    'amount', v_amount, 'currency', v_wallet.currency,
    'meta', jsonb_build_object('type', 'receivable_recovery', 'reference', coalesce(t->'meta'->>'reference', t->>'key'))), p_hash);
  if v_reason is not null then raise exception 'the recovery after % was refused: %', t->>'key', v_reason; end if;
end
$$;
--> statement-breakpoint
create or replace function ledger_apply(p_merchant text, t jsonb, p_hash text) returns text language plpgsql as $$
declare
  v_kind ledger_transfer_kind := (t->>'kind')::ledger_transfer_kind;
  v_target ledger_transfers;
  v_debit text := t->>'debit';
  v_credit text := t->>'credit';
  v_currency currency := (t->>'currency')::currency;
  v_amount bigint := (t->>'amount')::bigint;
  v_debit_account ledger_accounts;
  v_credit_account ledger_accounts;
  v_overflow ledger_accounts;
  v_available bigint;
  v_rest bigint := 0;
  v_overflowed boolean := false;
  v_reason text;
  v_posted bigint;
  v_pending bigint := 0;
  v_resolves text;
  v_reverses text;
begin
  if v_kind in ('capture', 'release', 'reverse') then
    select * into v_target from ledger_transfers where merchant_id = p_merchant and key = t->>'target' and result = 'posted';
    if not found then return 'TARGET_NOT_FOUND'; end if;
    v_currency := v_target.currency;
    if v_kind = 'reverse' then
      -- What an overflow account was debited with may have been recovered since; giving it back there would be wrong.
      if v_target.kind not in ('post', 'capture', 'recover') or v_target.overflowed then return 'NOT_REVERSIBLE'; end if;
      if exists (select from ledger_transfers where merchant_id = p_merchant and reverses_id = v_target.id and result = 'posted') then
        return 'ALREADY_REVERSED';
      end if;
      v_debit := v_target.credit_account;
      v_credit := v_target.debit_account;
      v_amount := v_target.amount;
      v_reverses := v_target.id;
    else
      if v_target.kind <> 'hold' then return 'NOT_A_HOLD'; end if;
      if exists (select from ledger_transfers where merchant_id = p_merchant and resolves_id = v_target.id and result = 'posted') then
        return 'HOLD_RESOLVED';
      end if;
      v_debit := v_target.debit_account;
      v_credit := v_target.credit_account;
      v_resolves := v_target.id;
      v_amount := case v_kind when 'release' then v_target.amount else coalesce(v_amount, v_target.amount) end;
      if v_amount > v_target.amount then return 'EXCEEDS_HOLD'; end if;
    end if;
  end if;

  if v_amount is null or v_amount <= 0 then return 'AMOUNT_INVALID'; end if;
  if v_debit = v_credit then return 'SAME_ACCOUNT'; end if;
  select * into v_debit_account from ledger_accounts where merchant_id = p_merchant and account = v_debit;
  if not found then return 'ACCOUNT_NOT_FOUND'; end if;
  select * into v_credit_account from ledger_accounts where merchant_id = p_merchant and account = v_credit;
  if not found then return 'ACCOUNT_NOT_FOUND'; end if;
  if v_debit_account.currency <> v_currency or v_credit_account.currency <> v_currency then return 'CURRENCY_MISMATCH'; end if;

  if v_kind = 'recover' then
    v_amount := least(v_amount, ledger_available(v_debit_account), ledger_available(v_credit_account));
    if v_amount <= 0 then return 'NOTHING_DUE'; end if;
  end if;

  -- What would lower a floored account must be covered, or go to the overflow account.
  if v_kind in ('post', 'hold', 'reverse', 'recover') then
    if v_debit_account.floored and v_debit_account.normal_side = 'credit' then
      v_available := ledger_available(v_debit_account);
      if v_available < v_amount then
        if t->>'overflow' is null then return 'INSUFFICIENT_FUNDS'; end if;
        select * into v_overflow from ledger_accounts where merchant_id = p_merchant and account = t->>'overflow';
        if not found then return 'ACCOUNT_NOT_FOUND'; end if;
        if v_overflow.currency <> v_currency then return 'CURRENCY_MISMATCH'; end if;
        if v_overflow.account in (v_debit, v_credit) then return 'SAME_ACCOUNT'; end if;
        if v_overflow.floored and v_overflow.normal_side = 'credit' and ledger_available(v_overflow) < v_amount - greatest(v_available, 0) then
          return 'INSUFFICIENT_FUNDS';
        end if;
        v_overflowed := true;
        if v_available <= 0 then
          v_debit := v_overflow.account;
        else
          v_rest := v_amount - v_available;
          v_amount := v_available;
        end if;
      end if;
    end if;
    if v_credit_account.floored and v_credit_account.normal_side = 'debit' and ledger_available(v_credit_account) < v_amount + v_rest then
      return 'INSUFFICIENT_FUNDS';
    end if;
  end if;

  case v_kind
    when 'hold' then v_posted := 0; v_pending := v_amount;
    when 'capture' then v_posted := v_amount; v_pending := -v_target.amount;
    when 'release' then v_posted := 0; v_pending := -v_amount;
    else v_posted := v_amount;
  end case;

  insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount, overflowed, resolves_id, reverses_id, meta)
  values (p_merchant, t->>'id', t->>'key', p_hash, v_kind, 'posted', v_debit, v_credit, v_currency, v_amount, v_overflowed, v_resolves, v_reverses, coalesce(t->'meta', '{}'));
  perform ledger_enter(p_merchant, v_debit, t->>'id', 'debit', v_posted, v_pending);
  perform ledger_enter(p_merchant, v_credit, t->>'id', 'credit', v_posted, v_pending);

  if v_rest > 0 then
    v_reason := ledger_apply(p_merchant, jsonb_build_object(
      'id', (t->>'id') || ':overflow', 'key', (t->>'key') || ':overflow', 'kind', 'post', 'debit', t->>'overflow', 'credit', v_credit,
      'amount', v_rest, 'currency', v_currency, 'meta', coalesce(t->'meta', '{}')), p_hash);
    -- Everything was checked above; a refusal now would leave half a transfer behind.
    if v_reason is not null then raise exception 'the overflow of % was refused: %', t->>'key', v_reason; end if;
  end if;

  if (v_credit = 'wallet' and v_posted > 0) or (v_debit = 'wallet' and v_kind in ('capture', 'release') and v_target.amount > v_posted) then
    perform ledger_recover(p_merchant, t, p_hash);
  end if;
  return null;
end
$$;
--> statement-breakpoint

create or replace function ledger_is_plain(p_merchant text, p_items jsonb[]) returns boolean language sql stable as $$
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
    -- What becomes available in a wallet that owes goes the other way, which recovers the debt.
    and (
      not exists (select from planned where debit = 'wallet' and (kind = 'release' or (kind = 'capture' and amount < held)))
      or not exists (select from ledger_accounts a where merchant_id = p_merchant and account = 'receivable:merchant' and ledger_available(a) > 0)
    )
    and not exists (
      select from (select debit, sum(amount) as amount from planned where kind = 'hold' group by debit) p
      join ledger_accounts d on d.merchant_id = p_merchant and d.account = p.debit
      where d.floored and d.normal_side = 'credit' and ledger_available(d) < p.amount
    )
$$;
--> statement-breakpoint

create or replace function ledger_post_one(p_merchant text, t jsonb)
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
    -- It makes something available in a wallet, which may owe: the account of its debts is locked with the others, in their order.
    if v_debit = 'wallet' and (v_kind = 'release' or v_amount < v_hold.amount) then return; end if;
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
    -- The account of debts, where something may become available in a wallet. Not for what `ledger_post_one` has tried: that holds locks already.
    union select 'receivable:merchant' where exists (
      select from unnest(v_items) i
      left join lateral (select * from ledger_transfers where merchant_id = p_merchant and key = i->>'target' limit 1) h on i ? 'target'
      where (i->>'kind' in ('post', 'recover') and i->>'credit' = 'wallet')
        or (h.debit_account = 'wallet' and (i->>'kind' in ('release', 'reverse') or (i->>'amount')::bigint < h.amount)))
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

-- Differences with issuers about cards that are at an end: in dollars, either way.
insert into ledger_accounts (merchant_id, account, currency, normal_side, floored)
select merchant_id, 'suspense:issuer', 'USD', 'credit', false from ledger_accounts where account = 'wallet';
--> statement-breakpoint

-- Debts that stood beside money to spend are paid now.
do $$
declare
  v_merchant text;
begin
  for v_merchant in
    select w.merchant_id from ledger_accounts w join ledger_accounts r on r.merchant_id = w.merchant_id and r.account = 'receivable:merchant'
    where w.account = 'wallet' and ledger_available(w) > 0 and ledger_available(r) > 0
  loop
    perform ledger_post(v_merchant, jsonb_build_array(jsonb_build_object(
      'id', 'ltr_0014_' || v_merchant, 'key', 'migration:0014:recovery', 'kind', 'recover', 'debit', 'wallet', 'credit', 'receivable:merchant',
      'amount', (select least(ledger_available(w), ledger_available(r)) from ledger_accounts w, ledger_accounts r
        where w.merchant_id = v_merchant and w.account = 'wallet' and r.merchant_id = v_merchant and r.account = 'receivable:merchant'),
      'currency', 'NGN', 'meta', '{"type": "receivable_recovery"}'::jsonb)));
  end loop;
end
$$;
