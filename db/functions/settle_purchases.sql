-- Settles purchases that are processing: purchase, ledger and event together. A settlement has the purchase's new state, the ledger transfer
-- and the event. Returns the ids that it settled, and the endpoints that get the events. It skips a purchase that is no longer processing.
-- Send them in the order of their purchases' ids: they are locked in this order, so that two calls do not deadlock.
create function settle_purchases(p_merchant text, p_settlements purchase_settlement[], p_look_again interval, out settled text[], out endpoints text[])
language plpgsql set enable_seqscan = off as $$
declare
  v_settlements purchase_settlement[] := '{}';
  v_transfers ledger_request[] := '{}';
  v_events event_request[] := '{}';
  v_refused text;
  v_now timestamptz;
  v_again timestamptz := now() + p_look_again;
  s purchase_settlement;
begin
  settled := '{}';
  endpoints := '{}';
  foreach s in array p_settlements loop
    perform from purchases where merchant_id = p_merchant and id = s.id and status = 'processing' for update;
    if found then
      settled := settled || s.id;
      v_settlements := v_settlements || s;
      v_transfers := v_transfers || s.transfer;
      v_events := v_events || s.event;
    end if;
  end loop;
  if cardinality(settled) = 0 then return; end if;

  select key || ': ' || rejection into v_refused from ledger_post(p_merchant, v_transfers) where result = 'rejected' limit 1;
  if v_refused is not null then raise exception 'the ledger refused %', v_refused; end if;

  -- Not `now()`, because a notice of the aggregator may have made the purchase due after this transaction began.
  v_now := clock_timestamp();
  foreach s in array v_settlements loop
    update purchases p set status = s.status, charged = s.charged, secrets = s.secrets, units = s.units, failure_reason = s.failure_reason,
      completed_at = s.completed_at, attempts = 0,
      next_attempt_at = case when p.fencing_token > 0 or p.next_attempt_at <= v_now then p.next_attempt_at else v_again end
    where p.merchant_id = p_merchant and p.id = s.id;
  end loop;

  endpoints := append_events(p_merchant, v_events);
  if endpoints is null then raise exception 'merchant % has no event counter', p_merchant; end if;
end
$$;
