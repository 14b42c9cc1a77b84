import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { HOLD_SUFFIX } from "./hold-key.ts";
import { listDebts } from "./list-debts.ts";
import { listHolds } from "./list-holds.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const MANY = 20_000;
const OPEN = 30;
const DEBTS = 200;

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
  await storePurchases(shop.merchant.id);
});

/** Stores purchases with their holds, of which the first `OPEN` are processing, and the entries of wallet and receivable. */
async function storePurchases(merchantId: string): Promise<void> {
  const id = sql()`'vtu_' || lpad(n::text, 26, '0')`;
  const numbers = sql()`generate_series(1, ${MANY}) n`;
  await sql()`
    insert into purchases (merchant_id, id, service, status, provider, product_id, product_code, product_name, recipient, quantity, unit_price, amount,
      charged, made_by, next_attempt_at, completed_at)
    select ${merchantId}, ${id}, 'airtime', case when n <= ${OPEN} then 'processing' else 'success' end::purchase_status, 'sandbox', 1, 'x', 'x', 'x', 1, 100, 100,
      case when n <= ${OPEN} then 0 else 100 end, 'system:test', now(), case when n > ${OPEN} then now() end from ${numbers}`;
  await sql()`
    insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount)
    select ${merchantId}, 'ltr_' || n, ${id} || ${HOLD_SUFFIX}, '', 'hold', 'posted', 'wallet', 'settlement:vtu', 'NGN', 100 from ${numbers}`;
  await sql()`
    insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount, resolves_id)
    select ${merchantId}, 'ltr_c' || n, ${id} || ':capture', '', 'capture', 'posted', 'wallet', 'settlement:vtu', 'NGN', 100, 'ltr_' || n
    from ${numbers} where n > ${OPEN}`;
  await sql()`
    insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after)
    select ${merchantId}, account, n, 'ltr_' || n, 'debit', 100, 0, 0 from ${numbers}, unnest(array['wallet', 'receivable:merchant']) account
    where account = 'wallet' or n <= ${DEBTS}`;
  await sql()`analyze purchases, ledger_transfers, ledger_entries`;
}

test("30 holds among 20,000 purchases are found without a look at the other transfers and purchases", async () => {
  const holds = async () => expect((await listHolds(shop.ctx)).holds).toHaveLength(OPEN);
  expect(await rowsRead("ledger_transfers", holds)).toBeLessThan(4 * OPEN);
  expect(await rowsRead("purchases", holds)).toBeLessThan(4 * OPEN);
});

test("the latest debts are found without a look at the wallet's 20,000 entries", async () => {
  const debts = async () => expect((await listDebts(shop.ctx)).entries).toHaveLength(50);
  expect(await rowsRead("ledger_entries", debts)).toBeLessThan(100);
  expect(await rowsRead("ledger_transfers", debts)).toBeLessThan(100);
});
