import { sql } from "#db/client.ts";
import { dropOldWeeks, LOGS_KEPT_MS } from "#db/weeks.ts";
import { aBusiness, type Business, comparePaths, rounded } from "./dashboard.ts";
import { inBatches, type Rows } from "./fill-business.ts";

const FEW_ROWS = 10_000;
/** Events and deliveries for each request, where there are many. */
const EVENT_SHARE = 0.1;

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Every list of a developer, and its filters, also those that no index serves and that find nothing. */
const paths = () => [
  ...[
    "",
    "?status=failed",
    "?status=5xx",
    "?error_code=RATE_LIMITED",
    "?method=DELETE",
    "?path=/api/v1/none",
    "?caller=member",
    "?key_id=key_none",
  ].map((query) => `/api/dashboard/requests${query}`),
  `/api/dashboard/requests?created_after=${ago(20)}&created_before=${ago(19)}&status=failed`,
  "/test/developers/requests",
  ...["", "?type=vtu.failed", "?resource=none", `?created_after=${ago(200)}&created_before=${ago(199)}`].map(
    (query) => `/api/dashboard/events${query}`,
  ),
  ...[
    "",
    "?endpoint_id=we_bench",
    "?status=failed",
    "?status=delivered",
    "?event_type=vtu.failed",
    "?answer=5xx",
    "?endpoint_id=we_bench&answer=none",
  ].map((query) => `/api/v1/webhook-deliveries${query}`),
  `/api/v1/webhook-deliveries?created_after=${ago(200)}&created_before=${ago(199)}`,
];

/** Writes requests of which three percent have failed. A tenth of them is older than 30 days. */
const fillRequests = ({ merchantId, from, to, count }: Rows) => sql()`
  insert into request_log (merchant_id, id, caller, api_key_id, endpoint, method, path, status, error_code, duration_ms, client_address, body_fields, created_at)
  select ${merchantId}, bench_id('req', made_at, n), 'key', 'key_bench', 'createPaymentLink', 'POST', '/api/v1/checkout/create',
    case when n % 100 < 3 then 422 else 201 end, case when n % 100 < 3 then 'VALIDATION_ERROR' end, 12, '203.0.113.7', '{amount,description}', made_at
  from generate_series(${from}::bigint, ${to}::bigint) n,
    lateral (select now() - interval '1 minute' - (${count}::bigint - n) * (interval '33 days' / ${count}::bigint) as made_at) t`;

const fillEvents = ({ merchantId, from, to, count }: Rows) => sql()`
  with fresh as materialized (
    select n, made_at, bench_id('evt', made_at, n) as id from generate_series(${from}::bigint, ${to}::bigint) n, bench_at(n, ${count}) made_at
  ), written as (
    insert into events (merchant_id, sequence, id, type, data, created_at)
    select ${merchantId}, n, id, 'checkout.success', json_build_object('reference', md5(id), 'amount', 5000, 'status', 'success'), made_at from fresh
  )
  insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence, status, attempt_count, next_attempt_at, last_response_status,
    delivered_at, created_at)
  select ${merchantId}, bench_id('dlv', made_at, n), 'we_bench', id, 'checkout.success', n, (case when n % 50 = 0 then 'failed' else 'delivered' end)::delivery_status,
    1, null, case when n % 50 = 0 then 404 else 200 end, case when n % 50 = 0 then null else made_at end, made_at from fresh`;

async function fill({ merchantId }: Business, requests: number, events: number): Promise<void> {
  await inBatches(merchantId, requests, fillRequests);
  await inBatches(merchantId, events, fillEvents);
  await sql()`update event_counters set last_sequence = ${events} where merchant_id = ${merchantId}`;
  await sql().unsafe("vacuum analyze request_log, events, webhook_deliveries");
}

/**
 * Compares the lists of a developer with many requests, and a tenth as many events and deliveries, to those with few. Then drops all
 * requests, as the worker does once they are old, and prints how long it took.
 */
export async function compareDevelopers(url: string, manyRows: number, rounds: number): Promise<void> {
  const few = await aBusiness("few requests", (business) => fill(business, FEW_ROWS, FEW_ROWS));
  const many = await aBusiness("many requests", (business) => fill(business, manyRows, manyRows * EVENT_SHARE));
  await comparePaths(url, { few, many, paths: paths(), rounds });
  const startedAt = performance.now();
  const { dropped } = await dropOldWeeks(sql(), new Date(Date.now() + LOGS_KEPT_MS));
  console.log(`${dropped.length} weeks of logs, with ${manyRows} requests, dropped in ${rounded(performance.now() - startedAt)} ms`);
}
