import { hash } from "node:crypto";
import { sql } from "#db/client.ts";
import { SETTLEMENT_BANK, SETTLEMENT_VTU, WALLET } from "#services/ledger/index.ts";
import type { Part, Span } from "./fill-part.ts";

/** Kobo of each link, and of each purchase. */
const LINK = 500_000;
const PURCHASE = 20_000;

/** An account before a growth: the number of its last entry, and its posted balance on its normal side. */
interface AccountStanding {
  seq: string;
  balance: string;
}

/** The state of the ledger before a growth, and the number before the first of the merchant's one-time accounts. */
export interface Standing {
  wallet: AccountStanding;
  bank: AccountStanding;
  vtu: AccountStanding;
  accountBase: string;
}

/** Of the rows up to `n`: the paid links, and the purchases with postings. */
const paidUpTo = (n: string) => `(6 * (${n} / 10) + least(${n} % 10 + 1, 6) - 1)`;
const boughtUpTo = (n: string) => `(2 * (${n} / 10) + (${n} % 10 >= 6)::int + (${n} % 10 >= 7)::int)`;

/** Returns the ten-digit number before a merchant's first one-time account. It differs for each merchant. */
export async function accountBaseOf(merchantId: string): Promise<string> {
  const [row] = await sql()<{ base: string }[]>`
    select (1000000000 + number * 100000000)::text as base from merchants where id = ${merchantId}`;
  if (!row) throw new Error(`there is no merchant ${merchantId}`);
  return row.base;
}

/** Returns the reference of a filled link, without a read. */
export const referenceOf = (accountBase: string, n: number): string => `${hash("md5", `link${accountBase}${n}`).toUpperCase()}0`;

/** Returns the ids of filled purchases by their numbers, without a read of their table. */
export async function purchaseIdsOf(numbers: { n: number; span: Span }[]): Promise<string[]> {
  const rows = await sql()<{ id: string }[]>`
    select 'vtu_' || bench_digits((extract(epoch from bench_time(n, first, last, since, until)) * 1000)::bigint) || lpad(n::text, 16, '0') || '000000000' as id
    from unnest(${numbers.map(({ n }) => n)}::bigint[], ${numbers.map(({ span }) => span.first)}::bigint[], ${numbers.map(({ span }) => span.last)}::bigint[],
      ${numbers.map(({ span }) => span.since.toISOString())}::text[]::timestamptz[], ${numbers.map(({ span }) => span.until.toISOString())}::text[]::timestamptz[]
    ) x(n, first, last, since, until)`;
  return rows.map(({ id }) => id);
}

export async function standingOf(merchantId: string): Promise<Standing> {
  const rows = await sql()<(AccountStanding & { account: string })[]>`
    select account, seq::text, (case normal_side when 'credit' then posted_credits - posted_debits else posted_debits - posted_credits end)::text as balance
    from ledger_accounts where merchant_id = ${merchantId}`;
  const of = (name: string): AccountStanding => {
    const found = rows.find(({ account }) => account === name);
    if (!found) throw new Error(`${merchantId} has no account ${name}`);
    return found;
  };
  return { wallet: of(WALLET), bank: of(SETTLEMENT_BANK), vtu: of(SETTLEMENT_VTU), accountBase: await accountBaseOf(merchantId) };
}

/**
 * Writes one link and one purchase for each number.
 *
 * A link has its row and its one-time account. Of ten, six are paid (numbers that end in 0 to 5), with bank session, bank transfer, and ledger transfer
 * with both entries; the others have expired. A purchase has its row; one of fifty has failed. Of ten, two (6 and 7) have the ledger transfers of hold
 * and capture with their four entries: so a merchant has as many entries of the wallet as links. Daily figures count them.
 *
 * A real link and a real purchase have their event too, with a delivery for each endpoint, a row of the request log for each call and the notice of
 * the bank, and each real purchase has its postings. Real rows were updated in place once or twice.
 */
export const fillMoney = ({ merchantId, first, last, since, until, from, to }: Part, { wallet, bank, vtu, accountBase }: Standing) => {
  const query = sql();
  const before = String(first - 1);
  return query`
  with fresh as materialized (
    select n, made_at, time || lpad(n::text, 16, '0') as rest, time || 'C' || lpad(n::text, 15, '0') as capture, n % 10 < 6 as is_paid, n % 10 in (6, 7) as is_posted,
      upper(md5('link' || ${accountBase}::text || n)) || '0' as reference, md5('session' || ${accountBase}::text || n) as session, (array['airtime', 'data', 'cable', 'electricity'])[1 + n % 4] as service,
      ${query.unsafe(`${paidUpTo("n")} - ${paidUpTo(before)} as paid, ${boughtUpTo("n")} - ${boughtUpTo(before)} as bought`)}
    from generate_series(${from}::bigint, ${to}::bigint) n,
      bench_time(n, ${first}, ${last}, ${since.toISOString()}, ${until.toISOString()}) made_at,
      lateral (select bench_digits((extract(epoch from made_at) * 1000)::bigint) as time) t
  ), links as (
    insert into payment_links (merchant_id, id, reference, amount, description, status, paid_at, customer_email, provider, provider_reference,
      account_number, account_name, bank_name, checkout_url, made_by, created_at, expires_at)
    select ${merchantId}, 'pl_' || rest, reference, ${LINK}, 'Two bags of rice', (case when is_paid then 'success' else 'expired' end)::link_status,
      case when is_paid then made_at + interval '2 minutes' end, 'payer' || n || '@shop.example', 'bench', reference, (${accountBase}::bigint + n)::text,
      'Bench', 'Bench Bank', 'https://bench.example/' || reference, 'api_key:key_01JDPZ6K5N8QGT0000000BENCH', made_at, made_at + interval '30 minutes' from fresh
  ), accounts as (
    insert into one_time_accounts (provider, account_reference, account_number, merchant_id, link_id)
    select 'bench', reference, (${accountBase}::bigint + n)::text, ${merchantId}, 'pl_' || rest from fresh
  ), sessions as (
    insert into bank_sessions (provider, session_id, merchant_id, transfer_id) select 'bench', session, ${merchantId}, 'btr_' || rest from fresh where is_paid
  ), arrivals as (
    insert into bank_transfers (merchant_id, id, link_id, provider, session_id, account_number, amount, currency, classification, disposition,
      sender_name, sender_bank, sender_account_last4, received_at, created_at)
    select ${merchantId}, 'btr_' || rest, 'pl_' || rest, 'bench', session, (${accountBase}::bigint + n)::text, ${LINK}, 'NGN', 'exact', 'accepted',
      'Chidi Eze', 'Other Bank', '4021', made_at + interval '2 minutes', made_at + interval '2 minutes' from fresh where is_paid
  ), bought as (
    insert into purchases (merchant_id, id, service, status, provider, product_id, product_code, product_name, recipient, variant, sku, quantity, unit_price,
      amount, charged, failure_reason, made_by, created_at, completed_at)
    select ${merchantId}, 'vtu_' || rest || '000000000', service::vtu_service, (case when n % 50 = 0 then 'failed' else 'success' end)::purchase_status, 'sandbox',
      1001, 'mtn-vtu', 'MTN airtime (VTU)', '+234803' || lpad((n % 10000000)::text, 7, '0'), 'VTU', 'airtime mtn vtu', 1, ${PURCHASE},
      ${PURCHASE}, case when n % 50 = 0 then 0 else ${PURCHASE} end, case when n % 50 = 0 then 'The provider could not deliver it.' end,
      'api_key:key_01JDPZ6K5N8QGT0000000BENCH', made_at, made_at from fresh
  ), moved as (
    insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount, resolves_id, meta, created_at)
    select ${merchantId}, 'ltr_' || rest, 'bank_transfer:btr_' || rest, md5(rest), 'post'::ledger_transfer_kind, 'posted'::ledger_result, ${SETTLEMENT_BANK}, ${WALLET},
      'NGN'::currency, ${LINK}::bigint, null, jsonb_build_object('type', 'payment_link', 'reference', reference), made_at from fresh where is_paid
    union all
    select ${merchantId}, 'ltr_' || x.id, 'vtu_' || rest || '000000000' || x.suffix, md5(x.id), x.kind::ledger_transfer_kind, 'posted', ${WALLET}, ${SETTLEMENT_VTU},
      'NGN', ${PURCHASE}::bigint, x.resolves, jsonb_build_object('type', 'vtu_' || service, 'reference', 'vtu_' || rest || '000000000'), made_at
    from fresh, lateral (values (rest, ':hold', 'hold', null), (capture, ':capture', 'capture', 'ltr_' || rest)) x(id, suffix, kind, resolves) where is_posted
  ), entries as (
    insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after, created_at)
    select ${merchantId}, x.account, x.seq, 'ltr_' || rest, x.side::ledger_side, ${LINK}::bigint, 0, x.balance, made_at
    from fresh, lateral (values
      (${WALLET}, ${wallet.seq}::bigint + paid + 2 * bought, 'credit', ${wallet.balance}::bigint + paid * ${LINK}::bigint - bought * ${PURCHASE}::bigint),
      (${SETTLEMENT_BANK}, ${bank.seq}::bigint + paid, 'debit', ${bank.balance}::bigint + paid * ${LINK}::bigint)
    ) x(account, seq, side, balance) where is_paid
    union all
    select ${merchantId}, x.account, x.seq - part, 'ltr_' || case part when 1 then rest else capture end, x.side::ledger_side,
      (1 - part) * ${PURCHASE}::bigint, (2 * part - 1) * ${PURCHASE}::bigint, x.balance + x.sign * part * ${PURCHASE}::bigint, made_at
    from fresh, generate_series(0, 1) part, lateral (values
      (${WALLET}, ${wallet.seq}::bigint + paid + 2 * bought, 'debit', 1, ${wallet.balance}::bigint + paid * ${LINK}::bigint - bought * ${PURCHASE}::bigint),
      (${SETTLEMENT_VTU}, ${vtu.seq}::bigint + 2 * bought, 'credit', -1, ${vtu.balance}::bigint + bought * ${PURCHASE}::bigint)
    ) x(account, seq, side, sign, balance) where is_posted
  )
  insert into daily_figures as f (merchant_id, day, source, type, count, kobo)
  select ${merchantId}, (made_at at time zone 'Africa/Lagos')::date as day, 'wallet', case when is_paid then 'payment_link' else 'vtu_' || service end as type,
    count(*), sum(case when is_paid then ${LINK}::bigint else -${PURCHASE}::bigint end) from fresh where is_paid or is_posted group by 2, 4 order by 2, 4
  on conflict (merchant_id, day, source, type) do update set count = f.count + excluded.count, kobo = f.kobo + excluded.kobo`;
};

/** Moves the accounts, the figures' cursor and the seal to the last entry of a growth. The seal has a made-up key, so the next one starts from it. */
export async function finishMoney({ merchantId, first, last }: Span): Promise<void> {
  const query = sql();
  const grown = (upTo: (n: string) => string) => query.unsafe(`${upTo(String(last))} - ${upTo(String(first - 1))}`);
  await query`
    with grown as (select (${grown(paidUpTo)})::bigint as paid, (${grown(boughtUpTo)})::bigint as bought)
    update ledger_accounts set
      seq = seq + case account when ${WALLET} then paid + 2 * bought when ${SETTLEMENT_BANK} then paid else 2 * bought end,
      posted_credits = posted_credits + case account when ${WALLET} then paid * ${LINK}::bigint when ${SETTLEMENT_VTU} then bought * ${PURCHASE}::bigint else 0 end,
      posted_debits = posted_debits + case account when ${WALLET} then bought * ${PURCHASE}::bigint when ${SETTLEMENT_BANK} then paid * ${LINK}::bigint else 0 end
    from grown where merchant_id = ${merchantId} and account in (${WALLET}, ${SETTLEMENT_BANK}, ${SETTLEMENT_VTU})`;
  await query`
    insert into figure_cursors as c (merchant_id, wallet_seq)
    select ${merchantId}, seq from ledger_accounts where merchant_id = ${merchantId} and account = ${WALLET}
    on conflict (merchant_id) do update set wallet_seq = excluded.wallet_seq`;
  await query`
    insert into wallet_seals (merchant_id, seq, count, hash, key_id, signature, sealed_at)
    select ${merchantId}, seq, seq, repeat('0', 64), 'bench', '', now() from ledger_accounts where merchant_id = ${merchantId} and account = ${WALLET}
    on conflict do nothing`;
}
