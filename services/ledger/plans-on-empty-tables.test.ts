import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { readEntries } from "../seals/chain.ts";
import { findWalletTransaction } from "./find-wallet-transaction.ts";
import { listWalletTransactions } from "./list-wallet-transactions.ts";
import { sumStatement } from "./sum-statement.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const MANY = 5_000;

let shop: TestMerchant;
beforeAll(async () => {
  for (const table of ["ledger_transfers", "ledger_entries", "bank_transfers", "card_operations"])
    await sql().unsafe(`alter table ${table} set (autovacuum_enabled = false)`);
  shop = await aMerchant();
  // After five calls, PostgreSQL keeps the plans that it made on empty tables.
  for (let n = 0; n < 10; n++) for (const read of Object.values(READS)) await read({ first: 1n, end: 20n });
  await storeEntries(shop.merchant.id);
});

/** Stores entries of the wallet, by turns of a bank transfer and of a card operation, and no statistics of them. */
async function storeEntries(merchantId: string): Promise<void> {
  const numbers = sql()`generate_series(1, ${MANY}) n`;
  await sql()`
    insert into bank_transfers (merchant_id, id, link_id, provider, session_id, account_number, amount, currency, classification, disposition, received_at)
    select ${merchantId}, 'btr_' || n, 'pl_' || n, 'sandbox', 's' || n, '1', 100, 'NGN', 'exact', 'accepted', now() from ${numbers}`;
  await sql()`
    insert into card_operations (merchant_id, id, card_id, type, status, reference, amount, fee, wallet_amount, made_by, completed_at)
    select ${merchantId}, 'cop_' || n, 'card_' || n, 'fund', 'completed', 'ref' || n, 1, 0, 100, 'system:test', now() from ${numbers}`;
  await sql()`
    insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount)
    select ${merchantId}, 'ltr_' || n, case when n % 2 = 0 then 'bank_transfer:btr_' || n else 'cop_' || n || ':capture' end, '', 'post', 'posted',
      'settlement:bank', 'wallet', 'NGN', 100 from ${numbers}`;
  await sql()`
    insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after)
    select ${merchantId}, 'wallet', n, 'ltr_' || n, 'credit', 100, 0, 100 * n from ${numbers}`;
}

/** Each reads 20 entries, or one. */
const READS: Readonly<Record<string, (entries: { first: bigint; end: bigint }) => Promise<unknown>>> = {
  "a page of the wallet": () => listWalletTransactions(shop.ctx, { limit: 20 }),
  "a page of one type": () => listWalletTransactions(shop.ctx, { limit: 20, type: "adjustment" }),
  "an entry": () => findWalletTransaction(shop.ctx, "ltr_9"),
  "a statement": (entries) => sumStatement(shop.ctx, { numbers: entries }),
  "a part of a sealed chain": ({ first, end }) => readEntries(sql(), shop.merchant.id, { after: first, to: end, limit: 20 }),
};

const TABLES = ["ledger_transfers", "bank_transfers", "card_operations"] as const;
const LAST = { first: BigInt(MANY) - 20n, end: BigInt(MANY) };

test.each(Object.keys(READS).flatMap((name) => TABLES.map((table) => [name, table] as const)))(
  "%s reads a few rows of %s, by a plan that was made while there were none",
  async (name, table) => {
    expect(await rowsRead(table, async () => READS[name]?.(LAST))).toBeLessThan(100);
  },
);

test("a page of the wallet names the link and the operation of each entry", async () => {
  const { items } = await listWalletTransactions(shop.ctx, { limit: 20 });
  expect(items.map(({ related }) => related?.type)).toEqual(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? "payment_link" : "card_operation")),
  );
});
