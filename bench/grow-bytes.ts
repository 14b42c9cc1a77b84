import { readLong, sql } from "#db/client.ts";
import { until } from "../testing/until.ts";
import { type Account, type Call, noticeOf, sendAll } from "./credits.ts";
import type { Grower } from "./grow-merchants.ts";
import { order, PURCHASE_PATH } from "./purchases.ts";

/** Bytes of a table with its toast, and of its indexes. A table in parts counts as one. */
interface Size {
  table: number;
  indexes: number;
}

export type Sizes = Map<string, Size>;

export async function readSizes(): Promise<Sizes> {
  const rows = await sql()<{ name: string; table: string; indexes: string }[]>`
    select coalesce(p.relname, c.relname) as name, sum(pg_table_size(c.oid))::text as table, sum(pg_indexes_size(c.oid))::text as indexes
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`;
  return new Map(rows.map(({ name, table, indexes }) => [name, { table: Number(table), indexes: Number(indexes) }]));
}

export interface BytesARow {
  relation: string;
  table: number;
  indexes: number;
  both: number;
}

/** Returns by how many bytes each relation has grown per row, the largest first. */
export function bytesARow(before: Sizes, after: Sizes, rows: number): BytesARow[] {
  return [...after]
    .map(([relation, { table, indexes }]) => {
      const had = before.get(relation) ?? { table: 0, indexes: 0 };
      const [ofTable, ofIndexes] = [(table - had.table) / rows, (indexes - had.indexes) / rows];
      return { relation, table: Math.round(ofTable), indexes: Math.round(ofIndexes), both: Math.round(ofTable + ofIndexes) };
    })
    .filter(({ both }) => both > 0)
    .toSorted((a, b) => b.both - a.both);
}

/** The request log is written after the answer, so the measurement waits for it. */
const LOGGED_WITHIN_MS = 30_000;

interface Made {
  name: string;
  bytes: BytesARow[];
}

/**
 * Makes links, their payments and purchases over HTTP, in two equal halves. Returns the bytes per row of each in the second half:
 * a vacuum between the halves leaves the space of dead rows for it, as autovacuum does all the time.
 */
export async function measureRealBytes(url: string, { merchantId, headers }: Grower, count: number): Promise<Made[]> {
  const create: Call = {
    path: "/api/v1/checkout/create",
    headers,
    body: JSON.stringify({ amount: 5_000, description: "Two bags of rice" }),
  };
  const steps: [name: string, calls: (count: number) => Promise<Call[]>][] = [
    ["a link", async (many) => Array.from({ length: many }, () => create)],
    ["its payment", (many) => noticesOf(merchantId, many)],
    ["a purchase", async (many) => Array.from({ length: many }, () => ({ path: PURCHASE_PATH, headers, body: order() }))],
  ];
  const made: Made[] = [];
  for (const [name, calls] of steps) {
    await sendAll(url, await calls(count));
    await untilLogged(merchantId);
    await readLong((client) => client.unsafe("vacuum analyze"));
    const before = await readSizes();
    await sendAll(url, await calls(count));
    await untilLogged(merchantId);
    made.push({ name, bytes: bytesARow(before, await readSizes(), count) });
  }
  return made;
}

/** Returns the bank's notices of exact transfers to links that are not paid yet. */
async function noticesOf(merchantId: string, count: number): Promise<Call[]> {
  const links = await sql()<Account[]>`
    select provider_reference as reference, account_number as number from payment_links where merchant_id = ${merchantId} and status = 'pending' limit ${count}`;
  return links.map(noticeOf);
}

/** Waits until the request log has no new row for a second. */
async function untilLogged(merchantId: string): Promise<void> {
  let last = -1n;
  let sinceMs = performance.now();
  await until(async () => {
    const [row] = await sql()<{ rows: bigint }[]>`select count(*) as rows from request_log where merchant_id = ${merchantId}`;
    if (row?.rows !== last) {
      last = row?.rows ?? 0n;
      sinceMs = performance.now();
    }
    return performance.now() - sinceMs > 1_000;
  }, LOGGED_WITHIN_MS);
}
