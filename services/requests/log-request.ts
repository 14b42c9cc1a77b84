import { sql } from "#db/client.ts";
import type { requestLog } from "#db/schema/requests.ts";
import { log } from "#lib/log.ts";
import { onShutdown } from "#lib/shutdown.ts";
import { fieldNames, fieldPath, requestPath } from "./field-names.ts";

type NewRequest = Omit<typeof requestLog.$inferSelect, "caller">;

const FLUSH_AFTER_MS = 500;
/** Beyond this the oldest rows are dropped and the drop is logged, so that a slow log cannot exhaust the memory. */
const MAX_WAITING = 20_000;
const MAX_ROWS_PER_INSERT = 1_000;

onShutdown(flushRequestLog);

const state = { waiting: [] as NewRequest[], timer: undefined as NodeJS.Timeout | undefined, dropped: 0 };

const MAX_PROBLEMS = 20;

/**
 * Adds a request to the merchant's request log. Returns at once: rows are written in batches, and a crash loses the last half second. Names of
 * fields that may be values in the wrong place are hidden.
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
  state.timer ??= setTimeout(() => void flushRequestLog(), FLUSH_AFTER_MS).unref();
}

async function flushRequestLog(): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  if (state.dropped > 0) log().warn({ dropped: state.dropped }, "request log rows were dropped");
  state.dropped = 0;
  const entries = state.waiting.splice(0);
  try {
    for (let from = 0; from < entries.length; from += MAX_ROWS_PER_INSERT) await write(entries.slice(from, from + MAX_ROWS_PER_INSERT));
  } catch (error) {
    log().error({ err: error, rows: entries.length }, "request log rows could not be written");
  }
}

/**
 * Writes all rows in one statement with one parameter, so that the log costs the hot path almost nothing. Notes when each API key was last
 * used, and from which address.
 */
async function write(entries: NewRequest[]): Promise<void> {
  const rows = JSON.stringify(entries.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })));
  await sql()`
    with entry as (
      select * from json_to_recordset(${rows}::text::json) as e("merchantId" text, id text, "apiKeyId" text, "userId" text, endpoint text, method text,
        path text, status int, "errorCode" text, "durationMs" int, "clientAddress" text, "queryFields" text[], "bodyFields" text[], problems jsonb,
        "createdAt" timestamptz)
    ), written as (
      insert into request_log (merchant_id, id, caller, api_key_id, user_id, endpoint, method, path, status, error_code, duration_ms, client_address,
        query_fields, body_fields, problems, created_at)
      select "merchantId", id, (case when "apiKeyId" is null then 'member' else 'key' end)::request_caller, "apiKeyId", "userId", endpoint, method, path,
        status, "errorCode", "durationMs", "clientAddress", "queryFields", "bodyFields", problems, "createdAt" from entry
    )
    update api_keys k set last_used_at = used."createdAt", last_used_address = used."clientAddress"
    from (select distinct on ("apiKeyId") * from entry where "apiKeyId" is not null order by "apiKeyId", "createdAt" desc) used
    where k.merchant_id = used."merchantId" and k.id = used."apiKeyId" and (k.last_used_at is null or k.last_used_at < used."createdAt")`;
}
