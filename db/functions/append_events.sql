-- Adds events to a merchant's feed, in their order, with a delivery for each subscribed endpoint. Returns the ids of these endpoints, or
-- null if the merchant has no counter. It locks the counter, which keeps the sequence free of gaps: call it last in a transaction.
create function append_events(p_merchant text, p_events event_request[]) returns text[]
language plpgsql set enable_seqscan = off as $$
declare
  v_sequence bigint;
  v_told text[] := '{}';
  w record;
begin
  update event_counters set last_sequence = last_sequence + cardinality(p_events) where merchant_id = p_merchant
  returning last_sequence - cardinality(p_events) into v_sequence;
  if not found then return null; end if;
  insert into events (merchant_id, sequence, id, type, data)
  select p_merchant, v_sequence + n, id, type, data from unnest(p_events) with ordinality e (id, type, data, n);
  for w in select id, event_types from webhook_endpoints where merchant_id = p_merchant and status = 'enabled' loop
    insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence)
    select p_merchant, delivery_id(w.id, e.id), w.id, e.id, e.type, v_sequence + n
    from unnest(p_events) with ordinality e (id, type, data, n)
    where w.event_types is null or e.type = any(w.event_types);
    if found then v_told := v_told || w.id; end if;
  end loop;
  return v_told;
end
$$;
