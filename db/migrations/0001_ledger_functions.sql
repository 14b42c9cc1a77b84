-- The ledger: one function posts a batch of transfers in one round trip.
--
-- ledger_post(merchant, batch) takes a JSON array of transfers, in order:
--   { id, key, kind, debit, credit, amount, currency, target, linked, overflow, meta }
--   kind     post | hold | capture | release | reverse | recover
--   amount   minor units as a string; capture takes at most the hold (default: all of it)
--   target   key of the hold (capture, release) or of the posting (reverse)
--   linked   true: stands or falls with the next transfer
--   overflow account that is debited with what the debit account cannot cover (post, reverse). What it was debited with is a
--            transfer of its own, `key:overflow`. A posting that overflowed is not reversed but paid back by a posting.
-- It answers one row per transfer, in order: posted or rejected with a reason. A key that was answered before
-- answers the same again (replayed = true); the same key with another request is KEY_REUSED.

create function ledger_available(a ledger_accounts) returns bigint language sql immutable as $$
  select case a.normal_side
    when 'credit' then a.posted_credits - a.posted_debits - a.pending_debits
    else a.posted_debits - a.posted_credits - a.pending_credits
  end
$$;
--> statement-breakpoint

-- Adds one entry to an account and returns nothing; the CHECK on the account is the last line of defence.
create function ledger_enter(p_merchant text, p_account text, p_transfer text, p_side ledger_side, p_posted bigint, p_pending bigint)
returns void language plpgsql as $$
declare
  a ledger_accounts;
begin
  update ledger_accounts set
    posted_debits = posted_debits + case p_side when 'debit' then p_posted else 0 end,
    pending_debits = pending_debits + case p_side when 'debit' then p_pending else 0 end,
    posted_credits = posted_credits + case p_side when 'credit' then p_posted else 0 end,
    pending_credits = pending_credits + case p_side when 'credit' then p_pending else 0 end,
    seq = seq + 1
  where merchant_id = p_merchant and account = p_account
  returning * into strict a;
  insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after)
  values (p_merchant, p_account, a.seq, p_transfer, p_side, p_posted, p_pending,
    case a.normal_side when 'credit' then a.posted_credits - a.posted_debits else a.posted_debits - a.posted_credits end);
end
$$;
--> statement-breakpoint

-- Posts one transfer whose accounts are locked. Returns the reason of a refusal, or null when it is posted.
create function ledger_apply(p_merchant text, t jsonb, p_hash text) returns text language plpgsql as $$
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
  return null;
end
$$;
--> statement-breakpoint

create function ledger_record_rejection(p_merchant text, t jsonb, p_hash text, p_reason text) returns void language sql as $$
  insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, rejection, debit_account, credit_account, currency, amount, meta)
  values (p_merchant, t->>'id', t->>'key', p_hash, (t->>'kind')::ledger_transfer_kind, 'rejected', p_reason,
    t->>'debit', t->>'credit', (t->>'currency')::currency, (t->>'amount')::bigint, coalesce(t->'meta', '{}'))
  -- Two requests with one key whose accounts do not exist share no lock; the first one's answer stands.
  on conflict (merchant_id, key) do nothing
$$;
--> statement-breakpoint

-- What a key's row says to this request: its result, or KEY_REUSED where the row is of another request that came first.
create function ledger_answer(p_merchant text, t jsonb, p_hash text)
returns table (key text, result ledger_result, rejection text, transfer_id text, amount bigint, replayed boolean)
language sql as $$
  select k.key,
    case when k.request_hash = p_hash then k.result else 'rejected' end,
    case when k.request_hash = p_hash then k.rejection else 'KEY_REUSED' end,
    case when k.request_hash = p_hash then k.id end,
    case when k.request_hash = p_hash then k.amount end,
    k.request_hash = p_hash and k.id <> t->>'id'
  from ledger_transfers k where k.merchant_id = p_merchant and k.key = t->>'key'
$$;
--> statement-breakpoint

create function ledger_post(p_merchant text, p_batch jsonb)
returns table (key text, result ledger_result, rejection text, transfer_id text, amount bigint, replayed boolean)
language plpgsql as $$
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

  -- Every account of the batch is locked first, in one order, so that two batches never wait for each other in a circle.
  perform 1 from ledger_accounts a
  where a.merchant_id = p_merchant and a.account in (
    select unnest(array[i->>'debit', i->>'credit', i->>'overflow']) from unnest(v_items) i
    union select unnest(array[h.debit_account, h.credit_account]) from unnest(v_items) i
      join ledger_transfers h on h.merchant_id = p_merchant and h.key = i->>'target'
  )
  order by a.account for update;

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

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: it is append-only', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
create trigger ledger_entries_append_only before update or delete on ledger_entries for each row execute function refuse_change();
--> statement-breakpoint
create trigger ledger_entries_no_truncate before truncate on ledger_entries for each statement execute function refuse_change();
--> statement-breakpoint
create trigger ledger_transfers_append_only before update or delete on ledger_transfers for each row execute function refuse_change();
--> statement-breakpoint
create trigger ledger_transfers_no_truncate before truncate on ledger_transfers for each statement execute function refuse_change();
--> statement-breakpoint
create trigger ledger_accounts_stay before delete on ledger_accounts for each row execute function refuse_change();
--> statement-breakpoint
create trigger ledger_accounts_no_truncate before truncate on ledger_accounts for each statement execute function refuse_change();
--> statement-breakpoint
create trigger events_append_only before update or delete on events for each row execute function refuse_change();
