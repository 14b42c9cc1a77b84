-- What merchants that exist already need for VTU: a ledger account, the sandbox's aggregator in test mode, and the permissions of keys that may do everything.
insert into ledger_accounts (merchant_id, account, currency, normal_side, floored)
select id, 'settlement:vtu', 'NGN', 'credit', false from merchants where business_id <> 'biz_platform';
--> statement-breakpoint
insert into merchant_providers (merchant_id, kind, mode, provider)
select id, 'aggregator', 'test', 'sandbox' from merchants where mode = 'test' and business_id <> 'biz_platform' on conflict do nothing;
--> statement-breakpoint
update api_keys set permissions = permissions || '{vtu:read,vtu:write}'::text[]
where permissions @> '{checkout:read,checkout:write,cards:read,cards:write,wallet:read,events:read,webhooks:read,webhooks:write,test:write}' and not permissions @> '{vtu:write}';
--> statement-breakpoint
create trigger product_prices_append_only before update or delete on product_prices for each row execute function refuse_change();
--> statement-breakpoint
create trigger product_prices_no_truncate before truncate on product_prices for each statement execute function refuse_change();
