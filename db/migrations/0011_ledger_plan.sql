-- What one request of a batch does: why it is refused, or else its transfer, the rest for the overflow account, and what changes in the posted sums and
-- in the holds.
create type ledger_plan as (
  reason text, debit text, credit text, currency currency, amount bigint, overflowed boolean, rest bigint, moved bigint, held bigint
);
