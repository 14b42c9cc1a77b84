-- Settles purchases that are processing: purchase, ledger and event together. A settlement has what its purchase becomes, the ledger transfer
-- and the event. Returns the ids that it settled, and the endpoints that are to hear of it. It leaves a purchase alone that is not processing
-- any more.
create function settle_purchases(p_merchant text, p_settlements purchase_settlement[], p_look_again interval, out settled text[], out endpoints text[])
language plpgsql set enable_seqscan = off as $$
declare
  v_settlements purchase_settlement[];
  v_refused text;
begin
  settled := array(
    select p.id from (select id from unnest(p_settlements) order by id) s
    cross join lateral (
      select id from purchases where merchant_id = p_merchant and id = s.id and status = 'processing' limit 1 for update
    ) p
  );
  endpoints := '{}';
  if cardinality(settled) = 0 then return; end if;
  v_settlements := array(select s from unnest(p_settlements) s where s.id = any(settled));

  select key || ': ' || rejection into v_refused from ledger_post(p_merchant, array(select transfer from unnest(v_settlements)))
  where result = 'rejected' limit 1;
  if v_refused is not null then raise exception 'the ledger refused %', v_refused; end if;

  update purchases p set status = s.status, charged = s.charged, secrets = s.secrets, units = s.units, failure_reason = s.failure_reason,
    completed_at = s.completed_at, attempts = 0,
    next_attempt_at = case when p.turn > 0 or p.next_attempt_at <= clock_timestamp() then p.next_attempt_at else now() + p_look_again end
  from unnest(v_settlements) s
  -- With the `any`, which says nothing new, the planner finds the rows by their ids, and does not join all that the merchant has.
  where p.merchant_id = p_merchant and p.id = any(settled) and p.id = s.id;

  endpoints := append_events(p_merchant, array_to_json(array(select event from unnest(v_settlements))));
  if endpoints is null then raise exception 'merchant % has no event counter', p_merchant; end if;
end
$$;
