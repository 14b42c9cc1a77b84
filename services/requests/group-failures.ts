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
  /** A day ago; later where there were more failures than are counted. */
  countedFrom: Date;
}

/** The newest failures that are looked at, those of members too. */
const MAX_LOOKED_AT = 2_000;

type Row = { error_code: string | null; method: string; endpoint: string | null; count: number; last_id: string; last_at: string };

/** Returns the failures of a merchant's keys within the last day by error code and endpoint. Counts them among the newest 2,000 failures. */
export async function groupFailures({ merchant }: MerchantContext): Promise<Failures> {
  const dayAgo = new Date(Date.now() - DAY_MS);
  const rows = await sql()<(Partial<Row> & { all: number; first_at: string | null })[]>`
    with looked as (
      select t.* from request_log t
      where t.merchant_id = ${merchant.id} and t.status >= 400 and t.id >= ${leastIdAt("request", dayAgo.getTime() - MINUTE_MS)}
      order by t.id desc limit ${MAX_LOOKED_AT}
    ), grouped as (
      select error_code, method, endpoint, count(*)::int as count, max(id) as last_id, max(created_at) as last_at
      from looked where created_at >= ${dayAgo.toISOString()} and caller = 'key'
      group by error_code, method, endpoint
    )
    select s.*, g.* from (select count(*)::int as all, min(created_at) as first_at from looked) s
    left join grouped g on true order by g.count desc, g.last_id desc`;
  const [first] = rows;
  return {
    groups: rows.flatMap(({ error_code: errorCode = null, method, endpoint = null, count, last_id: lastRequestId, last_at: lastAt }) =>
      method && count && lastRequestId && lastAt ? [{ errorCode, method, endpoint, count, lastRequestId, lastAt: new Date(lastAt) }] : [],
    ),
    countedFrom: first?.first_at && first.all >= MAX_LOOKED_AT ? new Date(first.first_at) : dayAgo,
  };
}
