-- Stand-ins for Citus's functions. They distribute nothing, but refuse what Citus refuses (create_distributed_table.c, foreign_constraint.c,
-- trigger.c and function.c of its source).
create table spread (relation regclass primary key, kind text not null, "column" text, colocated_with regclass);

create function refuse_unsafe_triggers(p_relation regclass) returns void language plpgsql as $$
begin
  if coalesce(current_setting('citus.enable_unsafe_triggers', true), 'off') <> 'on'
    and exists (select from pg_trigger where tgrelid = p_relation and not tgisinternal) then
    raise exception 'cannot distribute relation "%" because it has triggers', p_relation;
  end if;
end
$$;

create function create_reference_table(p_relation regclass) returns void language plpgsql as $$
declare
  v_other regclass;
begin
  perform refuse_unsafe_triggers(p_relation);
  for v_other in select confrelid::regclass from pg_constraint where contype = 'f' and conrelid = p_relation and confrelid <> p_relation loop
    if not exists (select from spread where relation = v_other and kind = 'reference') then
      raise exception 'cannot create foreign key constraint: "%" refers to "%", which is not on every server', p_relation, v_other;
    end if;
  end loop;
  insert into spread values (p_relation, 'reference');
end
$$;

create function create_distributed_table(p_relation regclass, p_column text, colocate_with text default null) returns void language plpgsql as $$
declare
  v_with regclass := coalesce(colocate_with::regclass, p_relation);
  v_attribute int2;
  v_index record;
  v_key record;
begin
  perform refuse_unsafe_triggers(p_relation);
  select attnum into strict v_attribute from pg_attribute
  where attrelid = p_relation and attname = p_column and attnotnull and attgenerated = '' and not attisdropped;
  if v_with <> p_relation and not exists (select from spread where relation = v_with and kind = 'distributed') then
    raise exception 'cannot colocate "%" with "%", which is not distributed', p_relation, v_with;
  end if;
  for v_index in select indexrelid::regclass as name, indkey::int2[] as columns from pg_index where indrelid = p_relation and (indisunique or indisexclusion) loop
    if v_attribute <> all(v_index.columns) then
      raise exception 'cannot create constraint on "%": % does not include the partition column', p_relation, v_index.name;
    end if;
  end loop;
  for v_key in
    select k.conname, k.confrelid::regclass as other, s.kind, s.colocated_with, array_position(k.conkey, v_attribute) as place,
      (select attname from pg_attribute where attrelid = k.confrelid and attnum = k.confkey[array_position(k.conkey, v_attribute)]) as other_column, s."column"
    from pg_constraint k left join spread s on s.relation = k.confrelid
    where k.contype = 'f' and k.conrelid = p_relation
  loop
    if v_key.kind is distinct from 'reference'
      and (v_key.kind is null or v_key.colocated_with <> v_with or v_key.place is null or v_key.other_column <> v_key."column") then
      raise exception 'cannot create foreign key constraint %: relations are not colocated or not referencing a reference table', v_key.conname;
    end if;
  end loop;
  if exists (
    select from pg_constraint k join spread s on s.relation = k.conrelid and s.kind = 'reference' where k.contype = 'f' and k.confrelid = p_relation
  ) then
    raise exception 'cannot create foreign key constraint: a table on every server refers to "%"', p_relation;
  end if;
  insert into spread values (p_relation, 'distributed', p_column, v_with);
end
$$;

create function create_distributed_function(p_function regprocedure, p_argument text, p_with text) returns void language plpgsql as $$
begin
  if not exists (
    select from pg_proc p join pg_language l on l.oid = p.prolang
    where p.oid = p_function and l.lanname = 'plpgsql' and p_argument = any(p.proargnames) and p.proargtypes[array_position(p.proargnames, p_argument) - 1] = 'text'::regtype
  ) then
    raise exception 'cannot distribute the function "%" since the distribution argument is not valid', p_function;
  end if;
  if not exists (select from spread where relation = p_with::regclass and kind = 'distributed') then
    raise exception 'cannot distribute the function "%" since there is no table to colocate with', p_function;
  end if;
end
$$;
