-- Returns a time plus milliseconds. Unlike the operator, it is immutable, because no day has to be looked up in a time zone.
create function later(p_time timestamptz, p_ms bigint) returns timestamptz language plpgsql immutable strict as $$
begin
  return p_time + p_ms * interval '1 ms';
end
$$;
