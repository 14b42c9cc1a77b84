import { sql } from "#db/client.ts";

const BATCH = 100_000;
/** Rows of cards for each thousand rows of money. */
const CARD_SHARE = 0.1;

/** Makes ids as `newId` does: ten characters of the time, then sixteen that differ. Row `n` of `count` was made evenly within 400 days. */
const FUNCTIONS = `
  create or replace function bench_at(n bigint, count bigint) returns timestamptz language sql stable as
    $$ select date_trunc('milliseconds', now() - interval '1 hour' - (count - n) * (interval '400 days' / count)) $$;
  create or replace function bench_id(prefix text, made_at timestamptz, n bigint) returns text language sql immutable as $$
    select prefix || '_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((ms >> (5 * place)) & 31)::int, 1), '' order by place desc) || lpad(n::text, 16, '0')
    from (select floor(extract(epoch from made_at) * 1000)::bigint as ms) t, generate_series(0, 9) place $$;`;

/** Rows from a number to another, of so many in all. */
export interface Rows {
  merchantId: string;
  from: number;
  to: number;
  count: number;
}

export async function inBatches(merchantId: string, count: number, fill: (rows: Rows) => Promise<unknown>): Promise<void> {
  await sql().unsafe(FUNCTIONS);
  for (let from = 1; from <= count; from += BATCH) await fill({ merchantId, from, to: Math.min(count, from + BATCH - 1), count });
}

/** Of ten links six are paid, and the others have expired. */
const fillLinks = ({ merchantId, from, to, count }: Rows) => sql()`
  insert into payment_links (merchant_id, id, reference, amount, status, paid_at, customer_email, provider, provider_reference,
    account_number, account_name, bank_name, checkout_url, made_by, created_at, expires_at)
  select ${merchantId}, id, md5(id), 500000 + (n % 1000) * 100, (case when n % 10 < 6 then 'success' else 'expired' end)::link_status,
    case when n % 10 < 6 then made_at + interval '2 minutes' end, 'payer' || n || '@shop.example', 'bench', md5(id), lpad(n::text, 10, '0'),
    'Bench', 'Bench Bank', 'https://bench.example', 'system:bench', made_at, made_at + interval '30 minutes'
  from generate_series(${from}::bigint, ${to}::bigint) n, bench_at(n, ${count}) made_at, bench_id('pl', made_at, n) id`;

/** Each row of the wallet is a paid link's 5,000 Naira. */
const fillWallet = ({ merchantId, from, to, count }: Rows) => sql()`
  with fresh as materialized (
    select n, made_at, bench_id('ltr', made_at, n) as id, bench_id('btr', made_at, n) as key
    from generate_series(${from}::bigint, ${to}::bigint) n, bench_at(n, ${count}) made_at
  ), transfers as (
    insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount, meta, created_at)
    select ${merchantId}, id, 'bank_transfer:' || key, '', 'post', 'posted', 'settlement:bank', 'wallet', 'NGN', 500000,
      jsonb_build_object('type', 'payment_link', 'reference', md5(id)), made_at from fresh
  )
  insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after, created_at)
  select ${merchantId}, 'wallet', n, id, 'credit', 500000, 0, 500000 * n, made_at from fresh`;

/** Of fifty purchases one has failed. */
const fillPurchases = ({ merchantId, from, to, count }: Rows) => sql()`
  insert into purchases (merchant_id, id, service, status, provider, product_id, product_code, product_name, recipient, quantity, unit_price,
    amount, charged, failure_reason, made_by, created_at, completed_at)
  select ${merchantId}, bench_id('vtu', made_at, n), (array['airtime', 'data', 'cable', 'electricity'])[1 + n % 4]::vtu_service,
    (case when n % 50 = 0 then 'failed' else 'success' end)::purchase_status, 'bench', 1, 'x', 'MTN airtime (VTU)',
    '+234803' || lpad((n % 100000)::text, 7, '0'), 1, 20000, 20000, case when n % 50 = 0 then 0 else 20000 end,
    case when n % 50 = 0 then 'The provider could not deliver it.' end, 'system:bench', made_at, made_at
  from generate_series(${from}::bigint, ${to}::bigint) n, bench_at(n, ${count}) made_at`;

/** Each cardholder has one card, which was issued, and charged once. */
const fillCards = ({ merchantId, from, to, count }: Rows) => sql()`
  with fresh as materialized (
    select n, made_at, bench_id('card', made_at, n) as id from generate_series(${from}::bigint, ${to}::bigint) n, bench_at(n, ${count}) made_at
  ), holders as (
    insert into cardholders (merchant_id, id, reference, first_name, last_name, email, kyc_status, provider, provider_reference, made_by, created_at)
    select ${merchantId}, n, md5(id), 'Ngozi', 'Eze', 'holder' || n || '@shop.example', 'APPROVED', 'bench', md5(id), 'system:bench', made_at from fresh
  ), issued as (
    insert into cards (merchant_id, id, cardholder_id, brand, status, provider, provider_reference, last4, expiry_month, expiry_year, made_by, created_at)
    select ${merchantId}, id, n, 'VISA', (case when n % 20 = 0 then 'FROZEN' else 'ACTIVE' end)::card_status, 'bench', md5(id),
      lpad((n % 10000)::text, 4, '0'), 1, 2030, 'system:bench', made_at from fresh
  ), operations as (
    insert into card_operations (merchant_id, id, card_id, type, status, reference, amount, fee, wallet_amount, made_by, created_at, completed_at)
    select ${merchantId}, bench_id('cop', made_at, n), id, 'issue', 'completed', md5(id), 0, 0, 0, 'system:bench', made_at, made_at from fresh
  )
  insert into card_transactions (merchant_id, card_id, id, provider_transaction_id, type, status, amount, currency, merchant_name, decline_reason, occurred_at, created_at)
  select ${merchantId}, id, bench_id('ctx', made_at, n), md5(id), (case when n % 20 = 0 then 'DECLINE' else 'CLEARING' end)::card_transaction_type,
    (case when n % 20 = 0 then 'DECLINED' else 'COMPLETED' end)::card_transaction_status, 880, 'USD', 'Netflix',
    case when n % 20 = 0 then 'insufficient funds' end, made_at, made_at from fresh`;

/** Counts the wallet's rows into the daily figures, as the worker would have done meanwhile. */
async function countFigures(merchantId: string, count: number): Promise<void> {
  await sql()`
    insert into ledger_accounts (merchant_id, account, currency, normal_side, floored, posted_credits, seq)
    values (${merchantId}, 'wallet', 'NGN', 'credit', true, ${500_000n * BigInt(count)}, ${count})
    on conflict (merchant_id, account) do update set posted_credits = excluded.posted_credits, seq = excluded.seq`;
  await sql()`
    insert into daily_figures (merchant_id, day, source, type, count, kobo)
    select ${merchantId}, (created_at at time zone 'Africa/Lagos')::date, 'wallet', 'payment_link', count(*), sum(posted)
    from ledger_entries where merchant_id = ${merchantId} and account = 'wallet' group by 2`;
  await sql()`insert into figure_cursors (merchant_id, wallet_seq) values (${merchantId}, ${count})`;
}

/**
 * Gives a merchant without history `count` links, wallet rows and purchases, and a tenth as many cardholders, cards, operations and spend,
 * which are spread over the last 400 days.
 */
export async function fillBusiness(merchantId: string, count: number): Promise<void> {
  for (const fill of [fillLinks, fillWallet, fillPurchases]) await inBatches(merchantId, count, fill);
  await inBatches(merchantId, Math.round(count * CARD_SHARE), fillCards);
  await countFigures(merchantId, count);
  await sql().unsafe("vacuum analyze");
}
