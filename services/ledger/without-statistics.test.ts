import { expect, test } from "vitest";
import { connect, preparing, sql, type Tx } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { postTransfers, SETTLEMENT_BANK, type Transfer, WALLET } from "./index.ts";
import { aWallet, hold, kobo, newKey, spend } from "./ledger.fixture.ts";

withDatabase();

const MANY = 5_000;
const credit = (): Transfer => ({ kind: "post", key: newKey(), debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(5) });

test("a transfer reads a few rows, however many rows and accounts its merchant has, by plans that were made without statistics", async () => {
  for (const table of ["ledger_accounts", "ledger_transfers", "ledger_entries"]) {
    await sql().unsafe(`alter table ${table} set (autovacuum_enabled = false)`);
  }
  // One connection, because each connection keeps plans of its own.
  const { sql: pool, db } = connect(settings().DATABASE_URL, { max: 1 });
  const id = await aWallet(10_000_000n);
  const aRound = (): Transfer[][] => {
    const [first, second] = [newKey(), newKey()];
    return [
      [credit()],
      [spend(1n)],
      [hold(2n, first), hold(2n, second)],
      [{ kind: "capture", key: newKey(), target: first, amount: kobo(1) }],
      [{ kind: "release", key: newKey(), target: second }],
    ];
  };
  // After five calls, PostgreSQL keeps the plans that it made on almost empty tables.
  for (const batch of times(10, async () => aRound())) for (const transfers of await batch) await postTransfers(db, id, transfers);
  for (let n = 0; n < MANY; n += 1_000) await postTransfers(db, id, await Promise.all(times(1_000, async () => spend(1n))));
  await sql()`
    insert into ledger_accounts (merchant_id, account, currency, normal_side, floored)
    select ${id}, 'card:' || n, 'USD', 'credit', true from generate_series(1, ${MANY}) n`;

  const rowsRead = async (tx: Tx) => {
    const [row] = await preparing(tx)<{ rows: number }[]>`
      select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname like 'ledger%'`;
    return row?.rows ?? Number.NaN;
  };
  const read = await db.transaction(async (tx) => {
    const before = await rowsRead(tx);
    for (const transfers of aRound()) await postTransfers(tx, id, transfers);
    return (await rowsRead(tx)) - before;
  });
  await pool.end();
  expect(read).toBeGreaterThan(5);
  expect(read).toBeLessThan(50);
});

test("no index of accounts begins with the merchant: with one, PostgreSQL 15 and 16 read all accounts of a merchant", async () => {
  const indexes = await sql()<{ first: string }[]>`
    select a.attname as first from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = 'ledger_accounts'::regclass`;
  expect(indexes).toEqual([{ first: "account" }]);
});
