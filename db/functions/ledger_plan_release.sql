-- A release ends a hold and moves nothing.
create function ledger_plan_release(target ledger_transfer, taken boolean, debit ledger_accounts, credit ledger_accounts) returns ledger_plan
language plpgsql immutable as $$
declare
  p ledger_plan := row(null, target.debit_account, target.credit_account, target.currency, target.amount, false, 0, 0, -target.amount);
begin
  p.reason := case
    when target.id is null then 'TARGET_NOT_FOUND'
    when target.kind <> 'hold' then 'NOT_A_HOLD'
    when taken then 'HOLD_RESOLVED'
    else ledger_refusal(p.debit, p.credit, p.currency, p.amount, debit, credit)
  end;
  return p;
end
$$;
