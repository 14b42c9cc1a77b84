-- Decides the outcome of a batch: its chains and keys, and how plans change the accounts. Reads and writes no table. `ledger_post` describes a request.
-- What one request does, and why a rule refuses it, is in `ledger_plan_post`, `_hold`, `_capture`, `_release` and `_reverse`. They share `ledger_refusal`
-- (amount, accounts, currency), and all but a capture and a release share `ledger_cover` (what an account lacks).
--
-- Takes the keys of the batch, and the stored rows: the target of each request (or nulls), the ids of the targets that are captured,
-- released or reversed, the stored answer of each key (or nulls), and the accounts of the batch and its targets, with their names. Returns the accounts
-- afterwards, the transfers and entries that are posted, the transfers that are refused, the answer of each key now (at the key's first place
-- in the batch), and a rejection for each request that is refused without being stored.
create function ledger_decide(
  p_merchant text, p_batch ledger_request[], p_keys text[], p_targets ledger_transfer[], p_taken text[], p_known ledger_transfer[],
  p_names text[], p_accounts ledger_accounts[]
) returns ledger_decision language plpgsql as $$
declare
  v_size int := cardinality(p_batch);
  -- The results so far. `p_taken`, `p_known` and `p_accounts` are updated too. If a chain is refused, its changes to them are undone.
  v_posted ledger_transfer[];
  v_entries ledger_entry[];
  v_refused ledger_transfer[];
  v_rejections text[];
  -- A chain of linked requests. A request that is not linked is a chain of one.
  v_first int := 1;
  v_last int;
  v_new int;
  v_is_reused boolean;
  v_accounts_before ledger_accounts[];
  v_taken_before text[];
  v_known_before ledger_transfer[];
  v_posted_before int;
  -- One request.
  r ledger_request;
  t ledger_transfer;
  v_target ledger_transfer;
  v_reason text;
  d ledger_accounts;
  c ledger_accounts;
  o ledger_accounts;
  v_debit text;
  v_credit text;
  v_is_taken boolean;
  v_plan ledger_plan;
  v_rest bigint;
  v_moved bigint;
  v_held bigint;
  v_gains boolean;
  -- One side of a posting.
  v_side ledger_side;
  v_place int;
  a ledger_accounts;
begin
  while v_first <= v_size loop
    v_last := v_first;
    while v_last < v_size and p_batch[v_last].linked loop v_last := v_last + 1; end loop;

    v_new := 0;
    v_is_reused := false;
    for n in v_first..v_last loop
      t := p_known[array_position(p_keys, p_keys[n])];
      if array_position(p_keys, p_keys[n], v_first) < n or t.request_hash <> p_batch[n].hash then
        v_rejections[n] := 'KEY_REUSED';
        v_is_reused := true;
      elsif t.id is null then
        v_new := v_new + 1;
      end if;
    end loop;

    if v_is_reused or v_new between 1 and v_last - v_first then
      -- A repeated chain would have stored answers for all its keys. This one has answers for some only, so it is another request.
      for n in v_first..v_last loop
        v_rejections[n] := coalesce(v_rejections[n], case when v_is_reused then 'LINKED_REJECTED' else 'KEY_REUSED' end);
      end loop;
      v_new := 0;
    end if;

    if v_new > 0 then
      v_reason := null;
      if v_last > v_first then
        v_accounts_before := p_accounts;
        v_taken_before := p_taken;
        v_known_before := p_known;
        v_posted_before := coalesce(cardinality(v_posted), 0);
      end if;

      for n in v_first..v_last loop
        r := p_batch[n];
        v_debit := r.debit;
        v_credit := r.credit;
        v_target := null;
        if r.kind in ('capture', 'release', 'reverse') then
          v_target := p_targets[n];
          if v_target.id is null then select * into v_target from unnest(v_posted) earlier where earlier.key = r.target; end if;
          v_is_taken := v_target.id = any(p_taken);
          v_debit := case r.kind when 'reverse' then v_target.credit_account else v_target.debit_account end;
          v_credit := case r.kind when 'reverse' then v_target.debit_account else v_target.credit_account end;
        end if;
        d := p_accounts[array_position(p_names, v_debit)];
        c := p_accounts[array_position(p_names, v_credit)];
        if r.overflow is not null then o := p_accounts[array_position(p_names, r.overflow)]; end if;

        v_plan := case r.kind
          when 'post' then ledger_plan_post(r, d, c, o)
          when 'hold' then ledger_plan_hold(r, d, c, o)
          when 'capture' then ledger_plan_capture(r, v_target, v_is_taken, d, c)
          when 'release' then ledger_plan_release(v_target, v_is_taken, d, c)
          when 'reverse' then ledger_plan_reverse(r, v_target, v_is_taken, d, c, o)
        end;
        v_reason := v_plan.reason;
        if v_reason is not null then
          v_rejections[n] := v_reason;
          exit;
        end if;

        t := row(p_merchant, r.id, r.key, r.hash, r.kind, 'posted', null, v_plan.debit, v_plan.credit, v_plan.currency, v_plan.amount, v_plan.overflowed,
          case when r.kind in ('capture', 'release') then v_target.id end, case when r.kind = 'reverse' then v_target.id end, coalesce(r.meta, '{}'), now());
        v_rest := v_plan.rest;
        v_moved := v_plan.moved;
        v_held := v_plan.held;
        v_gains := (t.credit_account = 'wallet' and v_moved > 0) or (t.debit_account = 'wallet' and v_moved + v_held < 0);
        if v_target.id is not null then p_taken := p_taken || v_target.id; end if;

        -- Applies up to three transfers: KEY, then KEY:overflow, then KEY:recovery, which pays the merchant's debt.
        loop
          v_posted := v_posted || t;
          -- A transfer that the ledger adds has a key too. A request of a later chain may use the same key, and must find this transfer.
          v_place := array_position(p_keys, t.key);
          if v_place is not null then p_known[v_place] := t; end if;

          foreach v_side in array array['debit', 'credit']::ledger_side[] loop
            v_place := array_position(p_names, case when v_side = 'debit' then t.debit_account else t.credit_account end);
            a := p_accounts[v_place];
            if v_side = 'debit' then
              a.posted_debits := a.posted_debits + v_moved;
              a.pending_debits := a.pending_debits + v_held;
            else
              a.posted_credits := a.posted_credits + v_moved;
              a.pending_credits := a.pending_credits + v_held;
            end if;
            a.available := a.available + case when a.normal_side = v_side then v_moved else -v_moved - v_held end;
            a.seq := a.seq + 1;
            p_accounts[v_place] := a;
            v_entries := v_entries || row(p_merchant, a.account, a.seq, t.id, v_side, v_moved, v_held,
              case when a.normal_side = 'credit' then a.posted_credits - a.posted_debits else a.posted_debits - a.posted_credits end, now())::ledger_entry;
          end loop;

          if v_rest > 0 then
            t := row(p_merchant, r.id || ':overflow', r.key || ':overflow', r.hash, 'post', 'posted', null, r.overflow, t.credit_account, t.currency,
              v_rest, false, null, null, coalesce(r.meta, '{}'), now());
            v_moved := v_rest;
            v_rest := 0;
          elsif v_gains then
            d := p_accounts[array_position(p_names, 'wallet')];
            c := p_accounts[array_position(p_names, 'receivable:merchant')];
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
          p_accounts := v_accounts_before;
          p_taken := v_taken_before;
          p_known := v_known_before;
          v_posted := v_posted[:v_posted_before];
          v_entries := v_entries[:2 * v_posted_before];
        end if;
        for n in v_first..v_last loop
          r := p_batch[n];
          t := row(p_merchant, r.id, r.key, r.hash, r.kind, 'rejected', coalesce(v_rejections[n], 'LINKED_REJECTED'), r.debit, r.credit, r.currency,
            r.amount, false, null, null, coalesce(r.meta, '{}'), now());
          v_rejections[n] := null;
          p_known[array_position(p_keys, r.key)] := t;
          v_refused := v_refused || t;
        end loop;
      end if;
    end if;
    v_first := v_last + 1;
  end loop;

  return row(p_accounts, v_posted, v_entries, v_refused, p_known, v_rejections);
end
$$;
