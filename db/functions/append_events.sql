-- Adds events ({ id, type, data }, in order) to a merchant's feed, with a delivery for each endpoint that wants them. Returns the ids of these
-- endpoints, or null if the merchant has no counter. It locks the counter, which keeps the sequence free of gaps: call it last in a transaction.
create function append_events(p_merchant text, p_events json) returns text[]
language plpgsql set enable_seqscan = off as $$
declare
  v_endpoints text[];
begin
  with next as (
    update event_counters set last_sequence = last_sequence + json_array_length(p_events) where merchant_id = p_merchant
    returning last_sequence - json_array_length(p_events) as base
  ), event as (
    insert into events (merchant_id, sequence, id, type, data)
    select p_merchant, next.base + given.n, given.event->>'id', given.event->>'type', given.event->'data'
    from next, json_array_elements(p_events) with ordinality as given(event, n)
    returning sequence, id, type
  ), delivery as (
    insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence)
    select p_merchant, delivery_id(w.id, event.id), w.id, event.id, event.type, event.sequence
    from event, webhook_endpoints w
    where w.merchant_id = p_merchant and w.status = 'enabled' and (w.event_types is null or event.type = any(w.event_types))
    returning endpoint_id
  )
  select array(select distinct endpoint_id from delivery) into v_endpoints from next;
  return v_endpoints;
end
$$;
