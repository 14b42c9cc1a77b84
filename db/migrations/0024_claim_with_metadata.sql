-- As in 0019, and stores the metadata of each purchase. The check for duplicates, the hold and its key leave it out.
create or replace function claim_purchases(p_merchant text, p_purchases jsonb, p_recipients text[], p_duplicate_within interval, p_wait interval)
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
      insert into purchases (merchant_id, id, service, provider, product_id, product_code, product_name, recipient, variant, customer, metadata, quantity,
        unit_price, amount, next_attempt_at, made_by)
      select p_merchant, g.id, g.service, g.provider, g."productId", g."productCode", g."productName", g.recipient, g.variant, g.customer,
        -- A web process that started before this migration sends none.
        coalesce(g.metadata, '{}'), g.quantity,
        g."unitPrice", g.amount, now() + p_wait, g."madeBy"
      from jsonb_to_recordset(v_wanted) as g(id text, service vtu_service, provider text, "productId" int, "productCode" text, "productName" text,
        recipient text, variant text, customer jsonb, metadata jsonb, quantity int, "unitPrice" bigint, amount bigint, "madeBy" text)
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
