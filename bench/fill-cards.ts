import { sql } from "#db/client.ts";
import type { Part } from "./fill-part.ts";

/** Each cardholder has one card, which was issued, and charged once. Cards have no accounts in the ledger. */
export const fillCards = ({ merchantId, first, last, since, until, from, to }: Part) => sql()`
  with fresh as materialized (
    select n, made_at, bench_digits((extract(epoch from made_at) * 1000)::bigint) || lpad(n::text, 16, '0') as rest
    from generate_series(${from}::bigint, ${to}::bigint) n,
      bench_time(n, ${first}, ${last}, ${since.toISOString()}, ${until.toISOString()}) made_at
  ), holders as (
    insert into cardholders (merchant_id, id, reference, first_name, last_name, email, kyc_status, provider, provider_reference, made_by, created_at)
    select ${merchantId}, n, md5(rest), 'Ngozi', 'Eze', 'holder' || n || '@shop.example', 'APPROVED', 'bench', md5(rest), 'system:bench', made_at from fresh
  ), issued as (
    insert into cards (merchant_id, id, cardholder_id, brand, status, provider, provider_reference, last4, expiry_month, expiry_year, made_by, created_at)
    select ${merchantId}, 'card_' || rest, n, 'VISA', (case when n % 20 = 0 then 'FROZEN' else 'ACTIVE' end)::card_status, 'bench', md5(rest),
      lpad((n % 10000)::text, 4, '0'), 1, 2030, 'system:bench', made_at from fresh
  ), operations as (
    insert into card_operations (merchant_id, id, card_id, type, status, reference, amount, fee, wallet_amount, made_by, created_at, completed_at)
    select ${merchantId}, 'cop_' || rest, 'card_' || rest, 'issue', 'completed', md5(rest), 0, 0, 0, 'system:bench', made_at, made_at from fresh
  )
  insert into card_transactions (merchant_id, card_id, id, provider_transaction_id, type, status, amount, currency, merchant_name, decline_reason, occurred_at, created_at)
  select ${merchantId}, 'card_' || rest, 'ctx_' || rest, md5(rest), (case when n % 20 = 0 then 'DECLINE' else 'CLEARING' end)::card_transaction_type,
    (case when n % 20 = 0 then 'DECLINED' else 'COMPLETED' end)::card_transaction_status, 880, 'USD', 'Netflix',
    case when n % 20 = 0 then 'insufficient funds' end, made_at, made_at from fresh`;
