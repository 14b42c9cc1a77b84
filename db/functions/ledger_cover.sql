-- Returns the plan of a post, hold or reversal whose accounts lack something. A plan that is refused stays as it is.
--
-- A floored account may not fall below zero. What the debit account lacks goes to the overflow account, if the request names one: the transfer takes
-- what is available, and `rest` is posted beside it. Where nothing is available, the transfer debits the overflow account itself.
create function ledger_cover(p ledger_plan, overflow text, debit ledger_accounts, credit ledger_accounts, overflowing ledger_accounts) returns ledger_plan
language plpgsql immutable as $$
begin
  if p.reason is not null then return p; end if;
  if ledger_lacks(credit, 'credit', p.amount) then p.reason := 'INSUFFICIENT_FUNDS'; end if;
  if not ledger_lacks(debit, 'debit', p.amount) then return p; end if;
  p.overflowed := true;
  p.rest := p.amount - debit.available;
  p.reason := case
    when overflow is null then 'INSUFFICIENT_FUNDS'
    when overflowing.account is null then 'ACCOUNT_NOT_FOUND'
    when overflowing.currency <> p.currency then 'CURRENCY_MISMATCH'
    when overflow in (p.debit, p.credit) then 'SAME_ACCOUNT'
    when ledger_lacks(overflowing, 'debit', p.rest) then 'INSUFFICIENT_FUNDS'
    else p.reason
  end;
  if p.rest = p.amount then
    p.debit := overflow;
    p.rest := 0;
  else
    p.amount := debit.available;
    if p.held = 0 then p.moved := p.amount; else p.held := p.amount; end if;
  end if;
  return p;
end
$$;
