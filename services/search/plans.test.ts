import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { search } from "./index.ts";
import { addEverything, aSearcher, type Everything, namesOf } from "./search.fixture.ts";

// One connection, so that its prepared statements and its counters are those of the searches.
withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

let shop: TestMerchant;
let all: Everything;

const BIG_TABLES = [
  ...["payment_links", "one_time_accounts", "bank_sessions", "bank_transfers"],
  ...["cardholders", "cards", "card_operations", "card_transactions", "purchases"],
  ...["events", "webhook_deliveries", "alerts", "ledger_transfers", "ledger_entries"],
];

/** Copies the only row of a table for a merchant 20,000 times: half of the copies are the merchant's, half another's. */
async function addNeighbours(table: string, merchantId: string, changes: string): Promise<void> {
  await sql().unsafe(
    `insert into ${table} select copy.*
     from (select * from ${table} where merchant_id = $1 limit 1) t, generate_series(1, 20000) n,
       jsonb_populate_record(null::${table}, to_jsonb(t) || ${changes} ||
         case when n % 2 = 0 then '{}' else '{"merchant_id": "mer_other"}'::jsonb end) copy`,
    [merchantId],
  );
}

const other = (fields: string) => `jsonb_build_object(${fields})`;
const ID = "'id', left(t.id, length(t.id) - 8) || lpad(n::text, 8, '0')";

const NEIGHBOURS: Record<string, string> = {
  payment_links: other(`${ID}, 'reference', lpad(n::text, 33, '0'), 'customer_email', n || '@example.com'`),
  one_time_accounts: other("'account_reference', n::text, 'account_number', lpad(n::text, 10, '0')"),
  bank_sessions: other("'session_id', lpad(n::text, 30, '0')"),
  bank_transfers: other(`${ID}, 'session_id', n::text, 'link_id', 'pl_' || n`),
  cardholders: other("'id', n, 'email', n || '@example.com', 'phone', '+234' || n"),
  cards: other(`${ID}, 'last4', lpad((n % 10000)::text, 4, '0'), 'cardholder_id', n`),
  card_operations: other(`${ID}, 'card_id', 'card_' || n`),
  card_transactions: other(`${ID}, 'provider_transaction_id', n::text, 'card_id', 'card_' || n`),
  purchases: other(
    `${ID}, 'recipient', lpad(n::text, 11, '4'), 'customer', jsonb_build_object('email', n || '@example.com', 'phone', '+234' || n)`,
  ),
  events: other(`${ID}, 'sequence', n + 100`),
  webhook_deliveries: other(ID),
  alerts: other(ID),
  ledger_transfers: other(`${ID}, 'key', n::text, 'created_at', now() - n * interval '1 minute'`),
  // Older than the entry of the merchant, whose number is moved behind them.
  ledger_entries: other("'seq', n, 'transfer_id', n::text, 'created_at', now() - (20001 - n) * interval '1 minute'"),
};

beforeAll(async () => {
  shop = await aSearcher();
  const { id } = shop.merchant;
  all = await addEverything(id);
  await sql()`set session_replication_role = replica`;
  await sql()`update ledger_entries set seq = 20001 where merchant_id = ${id}`;
  await sql()`update ledger_accounts set seq = 20001 where merchant_id = ${id} and account = 'wallet'`;
  for (const table of BIG_TABLES) await addNeighbours(table, id, NEIGHBOURS[table] ?? "");
  await sql()`set session_replication_role = origin`;
  await sql()`analyze`;
});

/** Returns how many rows and index entries of the big tables this database has read so far. */
async function rowsRead(): Promise<{ sequential: bigint; indexed: bigint }> {
  await sql()`select pg_stat_force_next_flush()`;
  await sql()`select pg_stat_clear_snapshot()`;
  const [counted] = await sql()<{ sequential: bigint; indexed: bigint }[]>`
    select sum(seq_tup_read)::bigint as sequential,
      (select sum(idx_tup_read)::bigint from pg_stat_user_indexes where relname = any(${BIG_TABLES}::text[])) as indexed
    from pg_stat_user_tables where relname = any(${BIG_TABLES}::text[])`;
  if (!counted) throw new Error("no counters");
  return counted;
}

/** A wallet movement is found by a search for its number, in which each step reads one entry. */
const MAX_INDEX_ENTRIES = 80n;

test("beside 20,000 rows of each kind, a search never scans a table, and reads only a few index entries", async () => {
  const shapes = namesOf(all);
  // The seventh run of a prepared statement has the plan that it keeps.
  for (let run = 0; run < 7; run++) {
    for (const [shape, text] of shapes) {
      const before = await rowsRead();
      await search(shop.ctx, text);
      const after = await rowsRead();
      expect([shape, after.sequential - before.sequential]).toEqual([shape, 0n]);
      expect([shape, after.indexed - before.indexed < MAX_INDEX_ENTRIES, after.indexed - before.indexed]).toEqual([
        shape,
        true,
        expect.anything(),
      ]);
    }
  }
});

test("no plan that a statement of a search may keep has a sequential scan of a big table", async () => {
  for (const [, text] of namesOf(all)) await search(shop.ctx, text);
  const prepared = await sql()<{ statement: string }[]>`
    select statement from pg_prepared_statements where statement like '%merchant_id%' and statement ~* '^\\s*select'`;
  expect(prepared.length).toBeGreaterThan(8);
  for (const { statement } of prepared) {
    const plan = (await sql().unsafe(`explain (generic_plan) ${statement}`)).map((row) => row["QUERY PLAN"]).join("\n");
    for (const table of BIG_TABLES) expect(plan).not.toContain(`Seq Scan on ${table} `);
  }
});
