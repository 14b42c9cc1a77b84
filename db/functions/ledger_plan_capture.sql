-- A capture ends a hold and moves its amount, or a part of it. The hold has covered that.
create function ledger_plan_capture(r ledger_request, target ledger_transfer, taken boolean, debit ledger_accounts, credit ledger_accounts) returns ledger_plan
language plpgsql immutable as $$
declare
  p ledger_plan := row(null, target.debit_account, target.credit_account, target.currency, coalesce(r.amount, target.amount), false, 0,
    coalesce(r.amount, target.amount), -target.amount);
begin
  p.reason := case
    when target.id is null then 'TARGET_NOT_FOUND'
    when target.kind <> 'hold' then 'NOT_A_HOLD'
    when taken then 'HOLD_RESOLVED'
    when r.amount > target.amount then 'EXCEEDS_HOLD'
    else ledger_refusal(p.debit, p.credit, p.currency, p.amount, debit, credit)
  end;
  return p;
end
$$;
