-- Stores purchases (as quoted) and sets their money aside. Returns for each, in their order,
--   claimed       it is stored now
--   known         a purchase with its id is stored already
--   overtaken     the lease on its Idempotency-Key is superseded: another try may have been told that nothing happened
--   insufficient  the wallet does not cover it
--   duplicate     the same was bought within `p_duplicate_within`: `duplicate_of` names it. Not for a purchase that is meant as a repetition
-- All purchases post to one account, whose lock makes two processes look for duplicates one after the other.
create function claim_purchases(p_merchant text, p_purchases purchase_request[], p_recipients text[], p_duplicate_within interval, p_wait interval)
returns setof purchase_claim language plpgsql set enable_seqscan = off as $$
declare
  v_things text[];
  v_bought text[];
  v_superseded boolean[];
  v_stored boolean[];
  v_claims purchase_claim[] := '{}';
  v_wanted int[] := '{}';
  v_holds ledger_request[] := '{}';
  v_answers ledger_answer[];
  v_refused ledger_answer;
  v_thing text;
  v_same int;
  p purchase_request;
  c purchase_claim;
begin
  perform from ledger_accounts where merchant_id = p_merchant and account = 'settlement:vtu' for update;

  -- Read: what was bought for these recipients, the leases, and what is stored.
  select coalesce(array_agg(concat_ws('/', recipient, product_id, variant, amount)), '{}'), coalesce(array_agg(id), '{}') into v_things, v_bought
  from purchases
  -- `|| ''` keeps the planner off the indexes of the merchant, so that it takes the one of recipients.
  where merchant_id || '' = p_merchant and recipient = any(p_recipients) and created_at > now() - p_duplicate_within
    and status in ('processing', 'success');

  select array_agg(b.lease_key is not null and l.is_ours is null order by b.ordinality) into v_superseded
  from unnest(p_purchases) with ordinality b
  left join lateral (
    select true as is_ours from idempotency_keys k
    where k.merchant_id = p_merchant and k.scope = b.lease_scope and k.key = b.lease_key and k.state = 'running' and k.locked_until = b.leased_until
    limit 1 for share
  ) l on true;

  select array_agg(s.is_stored order by b.ordinality) into v_stored
  from unnest(p_purchases) with ordinality b
  left join lateral (select true as is_stored from purchases where merchant_id = p_merchant and id = b.id limit 1) s on true;

  -- Decide.
  for n in 1..cardinality(p_purchases) loop
    p := p_purchases[n];
    c := row(p.id, null, null, null, null);
    v_thing := concat_ws('/', p.recipient, p.product_id, p.variant, p.amount);
    v_same := array_position(v_things, v_thing);
    if v_superseded[n] then
      c.status := 'overtaken';
    elsif v_stored[n] then
      c.status := 'known';
    elsif v_same is not null and not p.is_meant then
      c.status := 'duplicate';
      c.duplicate_of := v_bought[v_same];
    else
      v_wanted := v_wanted || n;
      v_holds := v_holds || p.hold;
      if p.recipient is not null then
        v_things := v_thing || v_things;
        v_bought := p.id || v_bought;
      end if;
    end if;
    v_claims[n] := c;
  end loop;

  -- Hold the money.
  if cardinality(v_wanted) > 0 then
    v_answers := array(select h from ledger_post(p_merchant, v_holds) h);
    for i in 1..cardinality(v_wanted) loop
      -- KEY_REUSED: an earlier try at another price was refused, so the key of its hold is taken and there is no purchase. It counts as insufficient.
      if v_answers[i].result = 'rejected' and v_answers[i].rejection not in ('INSUFFICIENT_FUNDS', 'KEY_REUSED') then
        raise exception 'the ledger refused the hold of %: %', p_purchases[v_wanted[i]].id, v_answers[i].rejection;
      end if;
      v_claims[v_wanted[i]].status := case when v_answers[i].result = 'posted' then 'claimed' else 'insufficient' end;
    end loop;
  end if;

  -- Store.
  insert into purchases (merchant_id, id, service, provider, product_id, product_code, product_name, recipient, variant, customer, metadata, quantity,
    unit_price, amount, next_attempt_at, made_by)
  select p_merchant, b.id, b.service, b.provider, b.product_id, b.product_code, b.product_name, b.recipient, b.variant, b.customer, b.metadata, b.quantity,
    b.unit_price, b.amount, now() + p_wait, b.made_by
  from unnest(p_purchases) with ordinality b where v_claims[b.ordinality].status = 'claimed';
  insert into aggregator_references (provider, purchase_id, merchant_id)
  select b.provider, b.id, p_merchant from unnest(p_purchases) with ordinality b where v_claims[b.ordinality].status = 'claimed';

  for n in 1..cardinality(p_purchases) loop
    c := v_claims[n];
    if c.status = 'claimed' then
      c.created_at := now();
      c.next_attempt_at := now() + p_wait;
    elsif c.status = 'duplicate' then
      -- A repetition of what was not covered is not covered either.
      for i in 1..cardinality(v_wanted) loop
        if v_claims[v_wanted[i]].id = c.duplicate_of and v_claims[v_wanted[i]].status = 'insufficient' then c.status := 'insufficient'; end if;
      end loop;
    end if;
    return next c;
  end loop;
end
$$;
