-- The rules of the ledger: what becomes of a batch. It reads and writes no table. `ledger_post` says what a request has.
--
-- Takes what stands in the tables: the target of each request (or null), the ids of the targets that are captured, released or reversed, what is
-- known of each key (or null), and the accounts that the batch names. Returns the accounts afterwards, the transfers and entries that are posted,
-- the transfers that are refused, what is known of each key now, and a rejection for each request that is refused without being stored.
create function ledger_decide(
  p_merchant text, p_batch ledger_request[], p_targets ledger_transfers[], p_taken text[], p_known ledger_transfers[], p_accounts ledger_accounts[]
) returns ledger_decision language plpgsql as $$
declare
  v_size int := cardinality(p_batch);
  v_keys text[] := '{}';
  v_names text[] := '{}';
  -- Updated after each request, and set back where its chain is refused. What is known stands at each request's own place and at the first
  -- place of its key.
  v_known ledger_transfers[] := p_known;
  v_taken text[] := p_taken;
  -- As decided.
  v_accounts ledger_accounts[] := p_accounts;
  v_posted ledger_transfers[] := '{}';
  v_refused ledger_transfers[] := '{}';
  v_entries ledger_entries[] := '{}';
  v_rejections text[] := array_fill(null::text, array[v_size]);
  -- A chain of linked requests. A request that is not linked is a chain of one.
  v_first int := 1;
  v_last int;
  v_new int;
  v_is_reused boolean;
  v_accounts_before ledger_accounts[];
  v_taken_before text[];
  v_known_before ledger_transfers[];
  v_posted_before int;
  -- One request.
  r ledger_request;
  t ledger_transfers;
  v_target ledger_transfers;
  v_reason text;
  v_first_place int;
  d ledger_accounts;
  c ledger_accounts;
  v_debit int;
  v_credit int;
  v_available bigint;
  v_rest bigint;
  v_moved bigint;
  v_held bigint;
  v_gains boolean;
begin
  foreach r in array p_batch loop v_keys := v_keys || r.key; end loop;
  foreach d in array p_accounts loop v_names := v_names || d.account; end loop;

  while v_first <= v_size loop
    v_last := v_first;
    while v_last < v_size and p_batch[v_last].linked loop v_last := v_last + 1; end loop;

    v_new := 0;
    v_is_reused := false;
    for n in v_first..v_last loop
      -- The first place of this key in the batch has what has become of it.
      v_first_place := array_position(v_keys, v_keys[n]);
      if v_first_place < v_first then v_known[n] := v_known[v_first_place]; end if;
      if array_position(v_keys, v_keys[n], v_first) < n or v_known[n].request_hash <> p_batch[n].hash then
        v_rejections[n] := 'KEY_REUSED';
        v_is_reused := true;
      elsif v_known[n].id is null then
        v_new := v_new + 1;
      end if;
    end loop;

    if v_is_reused or v_new between 1 and v_last - v_first then
      -- A repetition has answers for all keys of the chain. This chain has answers for some, so it is another request.
      for n in v_first..v_last loop
        v_rejections[n] := coalesce(v_rejections[n], case when v_is_reused then 'LINKED_REJECTED' else 'KEY_REUSED' end);
      end loop;
      v_new := 0;
    end if;

    if v_new > 0 then
      v_reason := null;
      if v_last > v_first then
        v_accounts_before := v_accounts;
        v_taken_before := v_taken;
        v_known_before := v_known;
        v_posted_before := cardinality(v_posted);
      end if;

      for n in v_first..v_last loop
        r := p_batch[n];
        t := row(p_merchant, r.id, r.key, r.hash, r.kind, 'posted', null, r.debit, r.credit, r.currency, r.amount, false, null, null, coalesce(r.meta, '{}'), now());

        -- The target.
        v_target := null;
        if r.kind in ('capture', 'release', 'reverse') then
          v_target := p_targets[n];
          if v_target.id is null then select * into v_target from unnest(v_posted) earlier where earlier.key = r.target; end if;
          v_reason := case
            when v_target.id is null then 'TARGET_NOT_FOUND'
            when r.kind = 'reverse' and (v_target.kind not in ('post', 'capture', 'recover') or v_target.overflowed) then 'NOT_REVERSIBLE'
            when r.kind <> 'reverse' and v_target.kind <> 'hold' then 'NOT_A_HOLD'
            when v_target.id = any(v_taken) and r.kind = 'reverse' then 'ALREADY_REVERSED'
            when v_target.id = any(v_taken) then 'HOLD_RESOLVED'
            when r.kind = 'capture' and r.amount > v_target.amount then 'EXCEEDS_HOLD'
          end;
          t.currency := v_target.currency;
          t.amount := case when r.kind = 'capture' then coalesce(r.amount, v_target.amount) else v_target.amount end;
          if r.kind = 'reverse' then
            t.debit_account := v_target.credit_account;
            t.credit_account := v_target.debit_account;
            t.reverses_id := v_target.id;
          else
            t.debit_account := v_target.debit_account;
            t.credit_account := v_target.credit_account;
            t.resolves_id := v_target.id;
          end if;
        end if;

        -- The accounts.
        if v_reason is null then
          v_debit := array_position(v_names, t.debit_account);
          v_credit := array_position(v_names, t.credit_account);
          d := v_accounts[v_debit];
          c := v_accounts[v_credit];
          v_reason := case
            when coalesce(t.amount, 0) <= 0 then 'AMOUNT_INVALID'
            when t.debit_account = t.credit_account then 'SAME_ACCOUNT'
            when v_debit is null or v_credit is null then 'ACCOUNT_NOT_FOUND'
            when d.currency is distinct from t.currency or c.currency is distinct from t.currency then 'CURRENCY_MISMATCH'
          end;
        end if;

        -- A floored account may not fall below zero. What the debit account lacks goes to the overflow account, if one is named. A hold was covered
        -- when it was made.
        v_rest := 0;
        if v_reason is null and r.kind in ('post', 'hold', 'reverse') then
          if c.floored and c.normal_side = 'debit' and c.available < t.amount then
            v_reason := 'INSUFFICIENT_FUNDS';
          end if;
          v_available := d.available;
          if d.floored and d.normal_side = 'credit' and v_available < t.amount then
            v_rest := t.amount - v_available;
            d := v_accounts[array_position(v_names, r.overflow)];
            v_reason := case
              when r.overflow is null then 'INSUFFICIENT_FUNDS'
              when d.account is null then 'ACCOUNT_NOT_FOUND'
              when d.currency <> t.currency then 'CURRENCY_MISMATCH'
              when r.overflow in (t.debit_account, t.credit_account) then 'SAME_ACCOUNT'
              when d.floored and d.normal_side = 'credit' and d.available < v_rest then 'INSUFFICIENT_FUNDS'
              else v_reason
            end;
            t.overflowed := true;
            if v_rest = t.amount then
              t.debit_account := r.overflow;
              v_rest := 0;
            else
              t.amount := v_available;
            end if;
          end if;
        end if;

        if v_reason is not null then
          v_rejections[n] := v_reason;
          exit;
        end if;

        -- What is posted, what is added to the holds, and whether something becomes available in the wallet.
        v_moved := case when r.kind in ('hold', 'release') then 0 else t.amount end;
        v_held := case when r.kind = 'hold' then t.amount when r.kind in ('capture', 'release') then -v_target.amount else 0 end;
        v_gains := (t.credit_account = 'wallet' and v_moved > 0) or (t.debit_account = 'wallet' and v_moved + v_held < 0);
        v_known[n] := t;
        if v_target.id is not null then v_taken := v_taken || v_target.id; end if;

        -- Applied, in three turns at most: KEY, then KEY:overflow, then KEY:recovery, which pays the merchant's debt.
        loop
          v_debit := array_position(v_names, t.debit_account);
          v_credit := array_position(v_names, t.credit_account);
          d := v_accounts[v_debit];
          c := v_accounts[v_credit];
          d.posted_debits := d.posted_debits + v_moved;
          d.pending_debits := d.pending_debits + v_held;
          d.available := d.available + case when d.normal_side = 'debit' then v_moved else -v_moved - v_held end;
          d.seq := d.seq + 1;
          c.posted_credits := c.posted_credits + v_moved;
          c.pending_credits := c.pending_credits + v_held;
          c.available := c.available + case when c.normal_side = 'credit' then v_moved else -v_moved - v_held end;
          c.seq := c.seq + 1;
          v_accounts[v_debit] := d;
          v_accounts[v_credit] := c;
          v_posted := v_posted || t;
          -- The ledger may have added this transfer, and a later request of the batch may have the same key. That request finds it here.
          v_first_place := array_position(v_keys, t.key);
          if v_first_place is not null then v_known[v_first_place] := t; end if;
          v_entries := v_entries || row(p_merchant, d.account, d.seq, t.id, 'debit', v_moved, v_held,
            case when d.normal_side = 'credit' then d.posted_credits - d.posted_debits else d.posted_debits - d.posted_credits end, now())::ledger_entries;
          v_entries := v_entries || row(p_merchant, c.account, c.seq, t.id, 'credit', v_moved, v_held,
            case when c.normal_side = 'credit' then c.posted_credits - c.posted_debits else c.posted_debits - c.posted_credits end, now())::ledger_entries;

          if v_rest > 0 then
            t := row(p_merchant, r.id || ':overflow', r.key || ':overflow', r.hash, 'post', 'posted', null, r.overflow, t.credit_account, t.currency,
              v_rest, false, null, null, coalesce(r.meta, '{}'), now());
            v_moved := v_rest;
            v_rest := 0;
          elsif v_gains then
            d := v_accounts[array_position(v_names, 'wallet')];
            c := v_accounts[array_position(v_names, 'receivable:merchant')];
            v_moved := least(d.available, c.available);
            exit when c.account is null or v_moved <= 0;
            t := row(p_merchant, r.id || ':recovery', r.key || ':recovery', r.hash, 'recover', 'posted', null, d.account, c.account, d.currency,
              v_moved, false, null, null, jsonb_build_object('type', 'receivable_recovery', 'reference', coalesce(r.meta->>'reference', r.key)), now());
            v_gains := false;
          else
            exit;
          end if;
          v_held := 0;
        end loop;
      end loop;

      if v_reason is not null then
        if v_last > v_first then
          v_accounts := v_accounts_before;
          v_taken := v_taken_before;
          v_known := v_known_before;
          v_posted := v_posted[:v_posted_before];
          v_entries := v_entries[:2 * v_posted_before];
        end if;
        for n in v_first..v_last loop
          r := p_batch[n];
          t := row(p_merchant, r.id, r.key, r.hash, r.kind, 'rejected', coalesce(v_rejections[n], 'LINKED_REJECTED'), r.debit, r.credit, r.currency,
            r.amount, false, null, null, coalesce(r.meta, '{}'), now());
          v_rejections[n] := null;
          v_known[n] := t;
          v_known[array_position(v_keys, r.key)] := t;
          v_refused := v_refused || t;
        end loop;
      end if;
    end if;
    v_first := v_last + 1;
  end loop;

  return row(v_accounts, v_posted, v_entries, v_refused, v_known, v_rejections);
end
$$;
