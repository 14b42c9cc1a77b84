-- The platform's own merchants, one for each mode: money that arrives for no known account is theirs to explain.
insert into businesses (id, name) values ('biz_platform', 'Platform');
--> statement-breakpoint
insert into merchants (id, business_id, mode) values ('mer_platform_test', 'biz_platform', 'test'), ('mer_platform_live', 'biz_platform', 'live');
--> statement-breakpoint
insert into ledger_accounts (merchant_id, account, currency, normal_side, floored)
select m.id, a.account, 'NGN', a.normal_side::ledger_side, a.floored
from merchants m, (values ('settlement:bank', 'debit', false), ('suspense', 'credit', true)) as a(account, normal_side, floored)
where m.business_id = 'biz_platform';
