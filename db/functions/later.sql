-- Returns a time plus milliseconds. Unlike the operator `+`, it is immutable, because it does not depend on a time zone.
create function later(p_time timestamptz, p_ms bigint) returns timestamptz language plpgsql immutable strict as $$
begin
  return p_time + p_ms * interval '1 ms';
end
$$;
