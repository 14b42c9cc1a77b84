-- Returns the id of the delivery of an event to an endpoint. It is derived from both, so the primary key refuses a second delivery. After
-- `dlv_` comes the part of the event's id that has its time, so deliveries sort by time.
create function delivery_id(p_endpoint text, p_event text) returns text language plpgsql immutable as $$
begin
  return 'dlv_' || substr(p_event, 5, 10) || upper(substr(md5(p_endpoint || '/' || p_event), 1, 16));
end
$$;
