-- Transfers, entries and events in memory. Rows of the tables' own types take a copy of the table's constraints with them into each statement.
create type ledger_transfer as (
  merchant_id text, id text, key text, request_hash text, kind ledger_transfer_kind, result ledger_result, rejection text, debit_account text,
  credit_account text, currency currency, amount bigint, overflowed boolean, resolves_id text, reverses_id text, meta jsonb, created_at timestamptz(3)
);
--> statement-breakpoint
create type ledger_entry as (
  merchant_id text, account text, seq bigint, transfer_id text, side ledger_side, posted bigint, pending bigint, balance_after bigint,
  created_at timestamptz(3)
);
--> statement-breakpoint
alter type ledger_decision alter attribute posted type ledger_transfer[], alter attribute entries type ledger_entry[],
  alter attribute refused type ledger_transfer[], alter attribute known type ledger_transfer[];
--> statement-breakpoint
create type event_request as (id text, type text, data json);
--> statement-breakpoint
alter type purchase_settlement alter attribute event type event_request;
