import { sql } from "#db/client.ts";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS, MINUTE_MS } from "#lib/time.ts";
import type { MerchantContext } from "../context.ts";

/** Failed requests of keys with the same error code at the same endpoint. */
export interface FailureGroup {
  errorCode: string | null;
  method: string;
  endpoint: string | null;
  count: number;
  lastRequestId: string;
  lastAt: Date;
}

interface Failures {
  /** The largest first. */
  groups: FailureGroup[];
  /** The start of the counted time: a day ago, or later if there were too many failures. */
  countedFrom: Date;
}

/** The number of newest failures that are read, including those of members. */
const MAX_SEARCHED_ROWS = 2_000;

/** `count` is of failures of keys within the day, and 0 for a group of others. `looked` and `first_at` are of all groups together. */
interface Row {
  error_code: string | null;
  method: string;
  endpoint: string | null;
  count: number;
  last_id: string | null;
  last_at: string | null;
  looked: number;
  first_at: string;
}

/**
 * Returns the failures of a merchant's keys within the last day by error code and endpoint. Counts them among the newest 2,000 failures, in one
 * pass over six of their columns. Reading whole rows twice takes three times as long.
 */
export async function groupFailures({ merchant }: MerchantContext): Promise<Failures> {
  const dayAgo = new Date(Date.now() - DAY_MS);
  const rows = await sql()<Row[]>`
    select error_code, method, endpoint, count(*) filter (where counts)::int as count, max(id) filter (where counts) as last_id,
      max(created_at) filter (where counts) as last_at, (sum(count(*)) over ())::int as looked, min(min(created_at)) over () as first_at
    from (
      select id, error_code, method, endpoint, created_at, created_at >= ${dayAgo.toISOString()} and caller = 'key' as counts from request_log
      where merchant_id = ${merchant.id} and status >= 400 and id >= ${leastIdAt("request", dayAgo.getTime() - MINUTE_MS)}
      order by id desc limit ${MAX_SEARCHED_ROWS}
    ) failed
    group by error_code, method, endpoint order by count desc, last_id desc`;
  const [first] = rows;
  return {
    groups: rows.flatMap(({ error_code: errorCode, method, endpoint, count, last_id: lastRequestId, last_at: lastAt }) =>
      lastRequestId !== null && lastAt !== null ? [{ errorCode, method, endpoint, count, lastRequestId, lastAt: new Date(lastAt) }] : [],
    ),
    countedFrom: first && first.looked >= MAX_SEARCHED_ROWS ? new Date(first.first_at) : dayAgo,
  };
}
