import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { listPaymentLinks } from "../index.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const OWN = 100;
const OF_OTHERS = 5_000;

/** Stores links of a merchant that expire half an hour from now, or did so yesterday. */
const storeLinks = ({ merchant }: TestMerchant, prefix: string, count: number, isPending: boolean) => sql()`
  insert into payment_links (merchant_id, id, reference, amount, status, provider, provider_reference, account_number, account_name, bank_name, checkout_url,
    made_by, created_at, expires_at)
  select ${merchant.id}, 'pl_' || ${prefix}::text || lpad(n::text, 20, '0'), ${prefix}::text || n, 100, ${isPending ? "pending" : "expired"}, 'sandbox', 'r' || n, 'a' || n,
    'x', 'x', 'https://x.example', 'system:test', now() - interval '2 days', now() + ${isPending ? "30 minutes" : "-1 day"}::interval
  from generate_series(1, ${count}) n`;

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
  const other = await aMerchant();
  await sql()`alter table payment_links set (autovacuum_enabled = false)`;
  await storeLinks(shop, "O", OF_OTHERS, false);
  // Statistics of a night in which no link was open.
  await sql()`analyze payment_links`;
  await storeLinks(other, "P", OF_OTHERS, true);
  await storeLinks(shop, "Q", OWN, true);
});

test("a page of pending links reads few rows of its merchant and none of others, even with outdated statistics", async () => {
  const rows = await rowsRead("payment_links", async () => {
    const { items } = await listPaymentLinks(shop.ctx, { limit: 20, status: "pending" });
    expect(items).toHaveLength(20);
  });
  expect(rows).toBeLessThan(100);
});
