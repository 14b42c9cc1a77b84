import pMap from "p-map";
import { sql } from "#db/client.ts";
import type { requestLog } from "#db/schema/requests.ts";
import { log } from "#lib/log.ts";
import { onShutdown } from "#lib/shutdown.ts";
import { fieldNames, fieldPath, requestPath } from "./field-names.ts";

type NewRequest = Omit<typeof requestLog.$inferSelect, "caller">;

const FLUSH_AFTER_MS = 500;
/** Each merchant's rows are a statement and a commit. Under load the log waits longer, so that more rows share them. */
const FLUSH_AFTER_EACH_MS = 20;
const FLUSH_WITHIN_MS = 5_000;
/** Beyond this the oldest rows are dropped and the drop is logged, so that a slow log cannot exhaust the memory. */
const MAX_WAITING = 20_000;
const MAX_ROWS_PER_INSERT = 1_000;
/** The number of merchants whose rows are written at the same time. */
const MAX_AT_ONCE = 2;

onShutdown(async () => {
  // More rows may have been added while the first flush ran.
  await flushRequestLog();
  await flushRequestLog();
});

const state = {
  waiting: [] as NewRequest[],
  timer: undefined as NodeJS.Timeout | undefined,
  flush: undefined as Promise<void> | undefined,
  dropped: 0,
  pauseMs: FLUSH_AFTER_MS,
};

/** Returns how long rows wait after a flush of so many statements, in milliseconds. */
const pauseAfter = (statements: number): number => Math.min(FLUSH_WITHIN_MS, Math.max(FLUSH_AFTER_MS, statements * FLUSH_AFTER_EACH_MS));

const MAX_PROBLEMS = 20;

/**
 * Adds a request to the merchant's request log. Returns at once: rows are written in batches, and a crash loses the last half second, or up to 5 s
 * where many merchants send requests. Names of fields that may be values in the wrong place are hidden.
 */
export function logRequest(entry: NewRequest): void {
  if (state.waiting.length >= MAX_WAITING) {
    state.waiting.shift();
    state.dropped++;
  }
  state.waiting.push({
    ...entry,
    path: requestPath(entry.path),
    queryFields: fieldNames(entry.queryFields),
    bodyFields: fieldNames(entry.bodyFields),
    problems: entry.problems.slice(0, MAX_PROBLEMS).map(({ param, message }) => ({ param: fieldPath(param), message })),
  });
  flushLater();
}

function flushLater(): void {
  if (!state.flush) state.timer ??= setTimeout(() => void flushRequestLog(), state.pauseMs).unref();
}

/** One flush at a time: while the log is slow it takes two connections of the pool, and requests have the others. */
async function flushRequestLog(): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  state.flush ??= writeAll().finally(() => {
    state.flush = undefined;
    if (state.waiting.length > 0) flushLater();
  });
  await state.flush;
}

async function writeAll(): Promise<void> {
  if (state.dropped > 0) log().warn({ dropped: state.dropped }, "request log rows were dropped");
  state.dropped = 0;
  const batches = [...Map.groupBy(state.waiting.splice(0), ({ merchantId }) => merchantId).values()].flatMap(inParts);
  const writeOrLog = (batch: NewRequest[]) =>
    write(batch).catch((error) => log().error({ err: error, rows: batch.length }, "request log rows could not be written"));
  state.pauseMs = pauseAfter(batches.length);
  await pMap(batches, writeOrLog, { concurrency: MAX_AT_ONCE });
}

const inParts = (entries: NewRequest[]): NewRequest[][] =>
  Array.from({ length: Math.ceil(entries.length / MAX_ROWS_PER_INSERT) }, (_, n) =>
    entries.slice(n * MAX_ROWS_PER_INSERT, (n + 1) * MAX_ROWS_PER_INSERT),
  );

/**
 * Writes rows of one merchant in one statement with few parameters, so that the log costs the hot path almost nothing. Notes when each API key was
 * last used, and from which address.
 */
async function write(entries: NewRequest[]): Promise<void> {
  const [first] = entries;
  if (!first) return;
  const { merchantId } = first;
  const rows = JSON.stringify(entries.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })));
  await sql()`
    with entry as (
      select * from json_to_recordset(${rows}::text::json) as e(id text, "apiKeyId" text, "userId" text, endpoint text, method text, path text, status int,
        "errorCode" text, "durationMs" int, "clientAddress" text, "queryFields" text[], "bodyFields" text[], problems jsonb, "createdAt" timestamptz)
    ), written as (
      insert into request_log (merchant_id, id, caller, api_key_id, user_id, endpoint, method, path, status, error_code, duration_ms, client_address,
        query_fields, body_fields, problems, created_at)
      select ${merchantId}, id, (case when "apiKeyId" is null then 'member' else 'key' end)::request_caller, "apiKeyId", "userId", endpoint, method, path,
        status, "errorCode", "durationMs", "clientAddress", "queryFields", "bodyFields", problems, "createdAt" from entry
    )
    insert into api_key_uses as u (merchant_id, api_key_id, last_used_at, last_used_address)
    select distinct on ("apiKeyId") ${merchantId}, "apiKeyId", "createdAt", "clientAddress" from entry
    where "apiKeyId" is not null order by "apiKeyId", "createdAt" desc
    on conflict (merchant_id, api_key_id) do update set last_used_at = excluded.last_used_at, last_used_address = excluded.last_used_address
    where u.last_used_at < excluded.last_used_at`;
}
