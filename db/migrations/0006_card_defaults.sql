-- What merchants that exist already need for cards: ledger accounts, the sandbox's issuer in test mode, and the permissions of keys that may do everything.
insert into ledger_accounts (merchant_id, account, currency, normal_side, floored)
select m.id, a.account, a.currency::currency, a.normal_side::ledger_side, false
from merchants m, (values
  ('fx:ngn', 'NGN', 'credit'), ('fx:usd', 'USD', 'debit'), ('revenue:spread', 'NGN', 'credit'), ('revenue:fees', 'USD', 'credit'), ('settlement:issuer', 'USD', 'credit')
) as a(account, currency, normal_side)
where m.business_id <> 'biz_platform';
--> statement-breakpoint
insert into merchant_providers (merchant_id, kind, mode, provider)
select id, 'issuer', 'test', 'sandbox' from merchants where mode = 'test' and business_id <> 'biz_platform' on conflict do nothing;
--> statement-breakpoint
update api_keys set permissions = permissions || '{cards:read,cards:write}'::text[]
where permissions @> '{checkout:read,checkout:write,wallet:read,events:read,webhooks:read,webhooks:write,test:write}' and not permissions @> '{cards:write}';
--> statement-breakpoint
update api_keys set permissions = permissions || '{cards:reveal}'::text[]
where public_key like 'pk\_test\_%' and permissions @> '{cards:write}' and not permissions @> '{cards:reveal}';
--> statement-breakpoint
-- Test mode has a rate and fees to play with. Live mode has none until an operator sets them.
insert into exchange_rates (merchant_id, id, buy, mid, sell, valid_until) values ('mer_platform_test', 'rate_default', 15000000, 15500000, 16000000, '2100-01-01T00:00:00Z');
--> statement-breakpoint
insert into card_fees (merchant_id, kind, flat, bps, minimum, maximum) values ('mer_platform_test', 'fund', 0, 100, 100, null);
--> statement-breakpoint
create trigger audit_entries_append_only before update or delete on audit_entries for each row execute function refuse_change();
--> statement-breakpoint
create trigger audit_entries_no_truncate before truncate on audit_entries for each statement execute function refuse_change();
