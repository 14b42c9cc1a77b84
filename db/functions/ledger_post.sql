-- Posts a batch of 1 to 1,000 transfers of one merchant, by the rules of `ledger_decide`.
--
-- A request has
--   id        new for each attempt; the answer has the id of the attempt that was stored
--   key       its permanent name: repeated with the same `hash` it gets the same answer again, with another hash KEY_REUSED
--   hash      of everything in the request but its id, made by the caller
--   kind      post | hold | capture | release | reverse. (Only the ledger itself adds `recover`.)
--   debit, credit, amount (minor units), currency
--             of a post or a hold. A capture takes `amount` of its hold (default: all of it) and releases the rest
--   target    the key of the hold to capture or release, or of the post, capture or recovery to reverse
--   overflow  the account to debit with the uncovered part: KEY takes the available amount, and a post `KEY:overflow` takes the rest. Where
--             nothing is available, KEY debits the overflow account itself. The answer has the amount of KEY alone. A posting that overflowed
--             cannot be reversed, because the overflow may have been recovered since: a new posting pays it back
--   linked    true: this request and the next are posted together or not at all. Linked requests are a chain: if a rule refuses one, the
--             others are refused as LINKED_REJECTED. It means nothing on the last request of a batch
--   meta      the purpose of the transfer
--
-- Money that becomes available in a wallet first pays the merchant's debt, as a transfer `KEY:recovery`.
--
-- Returns an answer for each request, in their order: key, result, rejection, id, amount, and whether it is a replay of another attempt.
-- A refusal by a rule is stored and is final for its key. A chain that uses a key again, or that was used before in part, is
-- refused and not stored: its answers are KEY_REUSED, and LINKED_REJECTED beside it, without id and amount. Raises unique_violation if another
-- transaction posts one of the keys to other accounts at the same time, or if a key that the ledger adds is taken.
--
-- It reads everything first, lets `ledger_decide` decide in memory, and then writes. Accounts are locked in the order of their names, so that
-- batches do not deadlock; only the accounts that the second round adds may break the order, and PostgreSQL then ends one of the
-- two. Every read and update finds its rows by a whole key, so no plan depends on how many rows a merchant has. A plain index scan finds several
-- accounts in the order of their names; a bitmap was a third slower.
create function ledger_post(p_merchant text, p_batch ledger_request[]) returns setof ledger_answer
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_size int := coalesce(cardinality(p_batch), 0);
  v_keys text[];
  v_targets ledger_transfer[];
  v_missing int;
  v_names text[];
  v_accounts ledger_accounts[];
  v_known ledger_transfer[];
  v_taken text[];
  v_decision ledger_decision;
  v_reason text;
  r ledger_request;
  t ledger_transfer;
  d ledger_accounts;
  a ledger_answer;
begin
  if v_size not between 1 and 1000 then raise exception 'a batch has 1 to 1000 transfers, not %', v_size using errcode = '22023'; end if;

  -- Read: the targets, and the accounts, locked in the order of their names. A target never changes, so it needs no lock. A second
  -- round looks again for targets that another transaction has posted while the first round waited for its locks.
  for v_round in 1..2 loop
    v_missing := 0;
    for n in 1..v_size loop
      r := p_batch[n];
      v_keys[n] := r.key;
      v_names := v_names || array[r.debit, r.credit, r.overflow];
      -- Money that becomes available in a wallet first pays the merchant's debts: a credit, or money that a target gives back.
      if r.credit = 'wallet' or r.target is not null then v_names := v_names || 'receivable:merchant'::text; end if;
      if r.target is not null then
        select * into t from ledger_transfers where merchant_id = p_merchant and key = r.target and result = 'posted';
        if not found then v_missing := v_missing + 1; end if;
        v_targets[n] := t;
        v_names := v_names || array[t.debit_account, t.credit_account];
      end if;
    end loop;
    -- The subselect hides the number of names from the planner. With a plain parameter, PostgreSQL would plan anew for each call.
    v_accounts := array(
      select stored from ledger_accounts stored where merchant_id = p_merchant and account = any((select v_names)::text[]) order by account for update
    );
    exit when v_missing = 0;
  end loop;
  v_names := null;
  foreach d in array v_accounts loop v_names := v_names || d.account; end loop;

  -- Read: the stored answer of each key, and the used targets. These statements come after the locks and each has a new snapshot (READ
  -- COMMITTED), so they see what was committed while this transaction waited.
  for n in 1..v_size loop
    select * into t from ledger_transfers where merchant_id = p_merchant and key = v_keys[n];
    v_known[n] := t;
    t := v_targets[n];
    if t.id is not null then
      if t.kind = 'hold' then
        perform from ledger_transfers where merchant_id = p_merchant and resolves_id = t.id;
      else
        perform from ledger_transfers where merchant_id = p_merchant and reverses_id = t.id;
      end if;
      if found then v_taken := v_taken || t.id; end if;
    end if;
  end loop;

  v_decision := ledger_decide(p_merchant, p_batch, v_keys, v_targets, v_taken, v_known, v_names, v_accounts);
  v_known := v_decision.known;

  -- Write. Only the accounts that changed have a higher number than before; `available` follows from the sums.
  if cardinality(v_decision.posted) > 0 then
    insert into ledger_transfers select * from unnest(v_decision.posted);
    insert into ledger_entries select * from unnest(v_decision.entries);
    v_accounts := v_decision.accounts;
    update ledger_accounts set
      posted_debits = v_accounts[array_position(v_names, account)].posted_debits,
      posted_credits = v_accounts[array_position(v_names, account)].posted_credits,
      pending_debits = v_accounts[array_position(v_names, account)].pending_debits,
      pending_credits = v_accounts[array_position(v_names, account)].pending_credits,
      seq = v_accounts[array_position(v_names, account)].seq
    where merchant_id = p_merchant and account = any((select v_names)::text[]) and seq < v_accounts[array_position(v_names, account)].seq;
  end if;
  if cardinality(v_decision.refused) > 0 then
    insert into ledger_transfers select * from unnest(v_decision.refused) on conflict (merchant_id, key) do nothing;
    -- Two transactions can refuse one key at the same time, if no common account makes one of them wait. The row that was stored first is the
    -- answer.
    for n in 1..v_size loop
      if v_known[n].result = 'rejected' then
        select * into t from ledger_transfers where merchant_id = p_merchant and key = v_keys[n];
        v_known[n] := t;
      end if;
    end loop;
  end if;

  for n in 1..v_size loop
    r := p_batch[n];
    t := v_known[array_position(v_keys, r.key)];
    v_reason := coalesce(v_decision.rejections[n], case when t.request_hash <> r.hash then 'KEY_REUSED' end);
    if v_reason is null then
      a := row(r.key, t.result, t.rejection, t.id, t.amount, t.id <> r.id);
    else
      a := row(r.key, 'rejected', v_reason, null, null, false);
    end if;
    return next a;
  end loop;
end
$$;
