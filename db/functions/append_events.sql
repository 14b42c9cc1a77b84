-- Adds events ({ id, type, data }, in order) to a merchant's feed, with a delivery for each endpoint that wants them. Returns the ids of these
-- endpoints, or null if the merchant has no counter. It locks the counter, which keeps the sequence free of gaps: call it last in a transaction.
create function append_events(p_merchant text, p_events json) returns text[]
language plpgsql set enable_seqscan = off as $$
declare
  v_sequence bigint;
  v_enabled webhook_endpoints[];
  v_told text[] := '{}';
  v_event json;
  w webhook_endpoints;
begin
  update event_counters set last_sequence = last_sequence + json_array_length(p_events) where merchant_id = p_merchant
  returning last_sequence - json_array_length(p_events) into v_sequence;
  if not found then return null; end if;
  v_enabled := array(select e from webhook_endpoints e where merchant_id = p_merchant and status = 'enabled');

  for v_event in select * from json_array_elements(p_events) loop
    v_sequence := v_sequence + 1;
    insert into events (merchant_id, sequence, id, type, data)
    values (p_merchant, v_sequence, v_event->>'id', v_event->>'type', v_event->'data');
    foreach w in array v_enabled loop
      if w.event_types is null or v_event->>'type' = any(w.event_types) then
        insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence)
        values (p_merchant, delivery_id(w.id, v_event->>'id'), w.id, v_event->>'id', v_event->>'type', v_sequence);
        if w.id <> all(v_told) then v_told := v_told || w.id; end if;
      end if;
    end loop;
  end loop;
  return v_told;
end
$$;
