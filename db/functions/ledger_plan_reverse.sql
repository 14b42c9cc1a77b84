-- A reversal moves the amount of a post, capture or recovery back: its debit account is the target's credit account. What the account lacks may
-- overflow, as for a post.
create function ledger_plan_reverse(
  r ledger_request, target ledger_transfer, taken boolean, debit ledger_accounts, credit ledger_accounts, overflowing ledger_accounts
) returns ledger_plan language plpgsql immutable as $$
declare
  p ledger_plan := row(null, target.credit_account, target.debit_account, target.currency, target.amount, false, 0, target.amount, 0);
begin
  p.reason := case
    when target.id is null then 'TARGET_NOT_FOUND'
    when target.kind not in ('post', 'capture', 'recover') or target.overflowed then 'NOT_REVERSIBLE'
    when taken then 'ALREADY_REVERSED'
    else ledger_refusal(p.debit, p.credit, p.currency, p.amount, debit, credit)
  end;
  if ledger_lacks(debit, 'debit', p.amount) or ledger_lacks(credit, 'credit', p.amount) then
    return ledger_cover(p, r.overflow, debit, credit, overflowing);
  end if;
  return p;
end
$$;
