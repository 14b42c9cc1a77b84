-- Stores purchases (as quoted) and holds their money. Returns the state of each, in their order:
--   claimed       it is stored now
--   known         a purchase with its id is stored already
--   superseded     the lease on its Idempotency-Key is superseded: another attempt may have answered that nothing was bought
--   insufficient  the wallet does not cover it
--   duplicate     the same goods (`sku`) were bought for the same recipient within `p_duplicate_within`, at whatever price and
--                 from whatever aggregator: `duplicate_of` names the purchase. Never returned if the buyer confirmed the repetition
-- All purchases post to one account, whose lock makes two processes look for duplicates one after the other.
-- Every statement finds its rows by an index, so no plan depends on how many rows a merchant has, and no batch is planned anew.
create function claim_purchases(p_merchant text, p_purchases purchase_request[], p_duplicate_within interval, p_wait interval)
returns setof purchase_claim language plpgsql set enable_seqscan = off as $$
declare
  v_things text[] := '{}';
  v_bought text[] := '{}';
  v_claims purchase_claim[] := '{}';
  v_wanted int[] := '{}';
  v_insufficient text[] := '{}';
  v_holds ledger_request[] := '{}';
  v_covered purchase_request[] := '{}';
  v_answers ledger_answer[];
  v_goods text[];
  v_same text;
  p purchase_request;
  c purchase_claim;
begin
  perform from ledger_accounts where merchant_id = p_merchant and account = 'settlement:vtu' for update;

  -- Read and decide: the lease, the stored purchases, and recent purchases for the same recipient, including earlier ones of this batch.
  for n in 1..cardinality(p_purchases) loop
    p := p_purchases[n];
    c := row(p.id, null, null, null, null);
    if p.lease_key is not null then
      perform from idempotency_keys
      where merchant_id = p_merchant and scope = p.lease_scope and key = p.lease_key and state = 'running' and locked_until = p.leased_until
      for share;
      if not found then c.status := 'superseded'; end if;
    end if;
    if c.status is null and exists (select from purchases where merchant_id = p_merchant and id = p.id) then c.status := 'known'; end if;
    if c.status is null then
      -- Compared by SKU and by the aggregator's product, because a renamed product has another SKU.
      v_goods[1] := concat_ws(' ', p.recipient, p.product_id, case when p.service in ('airtime', 'electricity') then p.amount end);
      v_goods[2] := coalesce(p.recipient || ' ' || p.sku, v_goods[1]);
      if not p.is_meant and p.recipient is not null then
        v_same := coalesce(v_bought[array_position(v_things, v_goods[1])], v_bought[array_position(v_things, v_goods[2])]);
        if v_same is null then
          -- The order is that of the index on recipients, so the planner takes this index even while the table is empty.
          select id into v_same from purchases
          where merchant_id = p_merchant and recipient = p.recipient and created_at > now() - p_duplicate_within
            and (sku = p.sku or product_id = p.product_id and (p.service not in ('airtime', 'electricity') or amount = p.amount)) and status in ('processing', 'success')
          order by created_at desc limit 1;
        end if;
        if v_same is not null then
          c.status := 'duplicate';
          c.duplicate_of := v_same;
        end if;
      end if;
    end if;
    if c.status is null then
      v_wanted := v_wanted || n;
      v_holds := v_holds || p.hold;
      if p.recipient is not null then
        v_things := v_goods || v_things;
        v_bought := array[p.id, p.id] || v_bought;
      end if;
    end if;
    v_claims[n] := c;
  end loop;

  -- Hold the money.
  if cardinality(v_wanted) > 0 then
    v_answers := array(select h from ledger_post(p_merchant, v_holds) h);
  end if;

  -- Store the purchases that the wallet covers.
  for i in 1..cardinality(v_wanted) loop
    p := p_purchases[v_wanted[i]];
    c := v_claims[v_wanted[i]];
    if v_answers[i].result = 'posted' then
      c.status := 'claimed';
      c.created_at := now();
      c.next_attempt_at := now() + p_wait;
      v_covered := v_covered || p;
    -- KEY_REUSED: an earlier attempt at another price was refused, so its hold's key is used and no purchase exists. Counts as insufficient.
    elsif v_answers[i].rejection in ('INSUFFICIENT_FUNDS', 'KEY_REUSED') then
      c.status := 'insufficient';
      v_insufficient := v_insufficient || p.id;
    else
      raise exception 'the ledger refused the hold of %: %', p.id, v_answers[i].rejection;
    end if;
    v_claims[v_wanted[i]] := c;
  end loop;
  if cardinality(v_covered) > 0 then
    insert into purchases (merchant_id, id, service, provider, product_id, product_code, product_name, recipient, variant, sku, customer, metadata,
      quantity, unit_price, amount, next_attempt_at, made_by)
    select p_merchant, id, service, provider, product_id, product_code, product_name, recipient, variant, sku, customer, metadata,
      quantity, unit_price, amount, now() + p_wait, made_by
    from unnest(v_covered);
  end if;

  foreach c in array v_claims loop
    -- The duplicate of a purchase that was not covered is not covered either.
    if c.duplicate_of = any(v_insufficient) then c := row(c.id, 'insufficient', null, null, null); end if;
    return next c;
  end loop;
end
$$;
