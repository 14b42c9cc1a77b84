-- A post moves its amount at once.
create function ledger_plan_post(r ledger_request, debit ledger_accounts, credit ledger_accounts, overflowing ledger_accounts) returns ledger_plan
language plpgsql immutable as $$
begin
  if ledger_lacks(debit, 'debit', r.amount) or ledger_lacks(credit, 'credit', r.amount) then
    return ledger_cover(
      row(ledger_refusal(r.debit, r.credit, r.currency, r.amount, debit, credit), r.debit, r.credit, r.currency, r.amount, false, 0, r.amount, 0),
      r.overflow, debit, credit, overflowing
    );
  end if;
  return row(ledger_refusal(r.debit, r.credit, r.currency, r.amount, debit, credit), r.debit, r.credit, r.currency, r.amount, false, 0, r.amount, 0)::ledger_plan;
end
$$;
