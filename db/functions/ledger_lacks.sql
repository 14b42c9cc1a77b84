-- Returns whether an amount on one side of an account takes more from it than is available. Only a floored account can lack anything.
create function ledger_lacks(account ledger_accounts, side ledger_side, amount bigint) returns boolean
language sql immutable as $$
  select account.floored and account.normal_side <> side and account.available < amount
$$;
