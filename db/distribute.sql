-- Spreads a migrated database over the servers of a Citus cluster, by merchant. Run it once, on the coordinator, as the owner of the tables, before
-- or after there are rows: `psql "$DATABASE_URL" -f db/distribute.sql`. docs/scale.md says when and how. A table that is not named here stays on the
-- coordinator: the directories, whose keys are unique across merchants, the tables of people and businesses, the catalogue, and the sandbox.
begin;
-- Allowed, because the triggers that refuse changes read no other row, so each server can run them alone.
set local citus.enable_unsafe_triggers to on;

-- Copied to every server: small tables that are read with the rows of merchants and seldom written. Referenced tables come first.
select create_reference_table('logos');
select create_reference_table('users');
select create_reference_table('businesses');
select create_reference_table('members');
select create_reference_table('merchants');
select create_reference_table('merchant_areas');
select create_reference_table('merchant_providers');
select create_reference_table('fallback_banks');
select create_reference_table('api_keys');
select create_reference_table('exchange_rates');
select create_reference_table('card_fees');
select create_reference_table('payout_fees');
select create_reference_table('payout_limits');

-- By merchant: all rows of a merchant lie on one server, so a transaction of one merchant stays there.
select create_distributed_table('ledger_accounts', 'merchant_id');
select create_distributed_table(name, 'merchant_id', colocate_with => 'ledger_accounts') from unnest(array[
  'ledger_transfers', 'ledger_entries', 'wallet_seals', 'suspense_items', 'balance_limits', 'daily_figures', 'figure_cursors',
  'event_counters', 'events', 'webhook_endpoints', 'webhook_secrets', 'webhook_deliveries', 'webhook_attempts',
  'payment_links', 'bank_transfers', 'payment_link_activity',
  'cardholders', 'cards', 'card_operations', 'card_transactions', 'quarantined_spend',
  'purchases', 'purchase_exceptions', 'bulk_orders', 'bulk_rows', 'bank_accounts', 'payouts', 'refunds', 'payout_requests', 'payout_rules',
  'idempotency_keys', 'request_log', 'api_key_uses', 'alerts', 'seen_alerts', 'mail_items', 'mail_positions', 'area_requests'
]::regclass[]) name;

-- These functions run on their merchant's server, in one call instead of one per statement. In a longer transaction the coordinator runs them.
select create_distributed_function('ledger_post(text, ledger_request[])', 'p_merchant', 'ledger_accounts');
select create_distributed_function('append_events(text, event_request[])', 'p_merchant', 'ledger_accounts');
select create_distributed_function('claim_purchases(text, purchase_request[], interval, interval)', 'p_merchant', 'ledger_accounts');
select create_distributed_function('settle_purchases(text, purchase_settlement[], interval)', 'p_merchant', 'ledger_accounts');
commit;
