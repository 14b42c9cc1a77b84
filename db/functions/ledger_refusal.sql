-- Returns why a transfer between two accounts is refused whatever is available in them, or null. An account that does not exist is null.
create function ledger_refusal(debit text, credit text, currency currency, amount bigint, d ledger_accounts, c ledger_accounts) returns text
language sql immutable as $$
  select case
    when coalesce(amount, 0) <= 0 then 'AMOUNT_INVALID'
    when debit = credit then 'SAME_ACCOUNT'
    when d.account is null or c.account is null then 'ACCOUNT_NOT_FOUND'
    when d.currency is distinct from currency or c.currency is distinct from currency then 'CURRENCY_MISMATCH'
  end
$$;
