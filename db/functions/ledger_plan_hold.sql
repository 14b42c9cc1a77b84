-- A hold lowers the available balance by its amount, and moves nothing. A later capture or release resolves it.
create function ledger_plan_hold(r ledger_request, debit ledger_accounts, credit ledger_accounts, overflowing ledger_accounts) returns ledger_plan
language plpgsql immutable as $$
begin
  if ledger_lacks(debit, 'debit', r.amount) or ledger_lacks(credit, 'credit', r.amount) then
    return ledger_cover(
      row(ledger_refusal(r.debit, r.credit, r.currency, r.amount, debit, credit), r.debit, r.credit, r.currency, r.amount, false, 0, 0, r.amount),
      r.overflow, debit, credit, overflowing
    );
  end if;
  return row(ledger_refusal(r.debit, r.credit, r.currency, r.amount, debit, credit), r.debit, r.credit, r.currency, r.amount, false, 0, 0, r.amount)::ledger_plan;
end
$$;
