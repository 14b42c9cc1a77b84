-- What the functions of db/functions take and return, in typed fields.
create type ledger_request as (
  id text, key text, hash text, kind ledger_transfer_kind, debit text, credit text, amount bigint, currency currency, target text, overflow text,
  linked boolean, meta jsonb
);
--> statement-breakpoint
create type ledger_answer as (key text, result ledger_result, rejection text, transfer_id text, amount bigint, replayed boolean);
--> statement-breakpoint
create type ledger_decision as (
  accounts ledger_accounts[], posted ledger_transfers[], entries ledger_entries[], refused ledger_transfers[], known ledger_transfers[], rejections text[]
);
--> statement-breakpoint
create type purchase_request as (
  id text, service vtu_service, provider text, product_id int, product_code text, product_name text, recipient text, variant text, customer jsonb,
  metadata jsonb, quantity int, unit_price bigint, amount bigint, made_by text, is_meant boolean,
  lease_scope text, lease_key text, leased_until timestamptz, hold ledger_request
);
--> statement-breakpoint
create type purchase_claim as (id text, status text, duplicate_of text, created_at timestamptz(3), next_attempt_at timestamptz(3));
--> statement-breakpoint
create type purchase_settlement as (
  id text, status purchase_status, charged bigint, secrets text, units text, failure_reason text, completed_at timestamptz,
  transfer ledger_request, event json
);
--> statement-breakpoint

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: it is append-only', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
create trigger ledger_entries_append_only before update or delete on ledger_entries for each row execute function refuse_change();
--> statement-breakpoint
create trigger ledger_entries_no_truncate before truncate on ledger_entries for each statement execute function refuse_change();
--> statement-breakpoint
create trigger ledger_transfers_append_only before update or delete on ledger_transfers for each row execute function refuse_change();
--> statement-breakpoint
create trigger ledger_transfers_no_truncate before truncate on ledger_transfers for each statement execute function refuse_change();
--> statement-breakpoint
create trigger wallet_seals_append_only before update or delete on wallet_seals for each row execute function refuse_change();
--> statement-breakpoint
create trigger wallet_seals_no_truncate before truncate on wallet_seals for each statement execute function refuse_change();
--> statement-breakpoint
create trigger ledger_accounts_stay before delete on ledger_accounts for each row execute function refuse_change();
--> statement-breakpoint
create trigger ledger_accounts_no_truncate before truncate on ledger_accounts for each statement execute function refuse_change();
--> statement-breakpoint
create trigger events_append_only before update or delete on events for each row execute function refuse_change();
--> statement-breakpoint
create trigger audit_entries_append_only before update or delete on audit_entries for each row execute function refuse_change();
--> statement-breakpoint
create trigger audit_entries_no_truncate before truncate on audit_entries for each statement execute function refuse_change();
--> statement-breakpoint
create trigger product_prices_append_only before update or delete on product_prices for each row execute function refuse_change();
--> statement-breakpoint
create trigger product_prices_no_truncate before truncate on product_prices for each statement execute function refuse_change();
--> statement-breakpoint

-- The platform's own merchants, one for each mode: money that arrives for an unknown account is booked in theirs until it is explained.
insert into businesses (id, name) values ('biz_platform', 'Platform');
--> statement-breakpoint
insert into merchants (id, business_id, mode) values ('mer_platform_test', 'biz_platform', 'test'), ('mer_platform_live', 'biz_platform', 'live');
--> statement-breakpoint
insert into ledger_accounts (merchant_id, account, currency, normal_side, floored)
select m.id, a.account, 'NGN', a.normal_side::ledger_side, a.floored
from merchants m, (values ('settlement:bank', 'debit', false), ('suspense', 'credit', true)) as a(account, normal_side, floored)
where m.business_id = 'biz_platform';
--> statement-breakpoint
-- Test mode has a rate and fees to play with. Live mode has none until an operator sets them.
insert into exchange_rates (merchant_id, id, buy, mid, sell, valid_until) values ('mer_platform_test', 'rate_default', 15000000, 15500000, 16000000, '2100-01-01T00:00:00Z');
--> statement-breakpoint
insert into card_fees (merchant_id, kind, flat, bps, minimum, maximum) values ('mer_platform_test', 'fund', 0, 100, 100, null);
