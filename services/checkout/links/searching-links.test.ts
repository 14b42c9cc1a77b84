import { beforeEach, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { open, seal } from "#lib/sealed.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { storeLinks } from "./links-in-bulk.fixture.ts";
import { type LinksQuery, listPaymentLinks } from "./list-links.ts";

// With one connection, statements run in the order in which they are sent.
withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

let shop: TestMerchant;
beforeEach(async () => {
  shop = await aMerchant();
});
const amountOf = (n: number) => money(BigInt(100_00 + n), "NGN");
const list = (query: Partial<LinksQuery>) => listPaymentLinks(shop.ctx, { limit: 20, ...query });

/** Returns the ids of all pages. Runs `between` after the first statement of the first page is sent, and before its second. */
async function walk(query: Partial<LinksQuery>, between: () => Promise<unknown>): Promise<string[]> {
  const reading = list(query);
  for (let i = 0; i < 50; i++) await null;
  const [first] = await Promise.all([reading, between()]);
  const pages = [first];
  for (let cursor = first.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor ?? null) pages.push(await list({ ...query, cursor }));
  return pages.flatMap(({ items }) => items.map(({ id }) => id));
}

test("a search shows a row once while new rows come", async () => {
  const ids = await storeLinks(shop.merchant.id, { count: 6_000, everyMs: 100 });
  const n = 6_000 - 4_999;
  const amount = amountOf(n);
  const seen = await walk({ min_amount: amount, max_amount: amount }, () => storeLinks(shop.merchant.id, { count: 10, everyMs: 1 }));
  expect(seen).toEqual([ids[n]]);
});

test("a search misses no row while rows leave the list", async () => {
  const ids = await storeLinks(shop.merchant.id, { count: 6_000, everyMs: 100, status: () => "pending" });
  const n = 6_000 - 5_001;
  const amount = amountOf(n);
  const pay = async () => sql()`
    update payment_links set status = 'success', paid_at = now() where merchant_id = ${shop.merchant.id} and id = ${ids.at(-1) ?? ""}`;
  expect(await walk({ status: "pending", min_amount: amount, max_amount: amount }, pay)).toEqual([ids[n]]);
});

test("an empty page of a search towards newer rows leads back to the older ones, and misses none of them", async () => {
  const ids = await storeLinks(shop.merchant.id, { count: 12_000, everyMs: 50 });
  const filter = { max_amount: amountOf(1), limit: 1 };
  let page = await list(filter);
  while (page.items.length === 0) page = await list({ ...filter, cursor: page.nextCursor ?? "" });
  const before = await list({ ...filter, cursor: page.previousCursor ?? "" });
  expect(before.items).toEqual([]);
  const again = await list({ ...filter, cursor: before.nextCursor ?? "" });
  expect(again.items.map(({ id }) => id)).toEqual([ids[1]]);
});

test("a cursor towards older rows contains only the position, as processes of an earlier version write and read it", async () => {
  const ids = await storeLinks(shop.merchant.id, { count: 30, everyMs: 100 });
  const owner = `${shop.merchant.id}/payment-links`;
  const { nextCursor } = await list({});
  expect(open("list-cursor", nextCursor ?? "", owner)).toBe(ids[10]);
  expect((await list({ cursor: seal("list-cursor", ids[10] ?? "", owner) })).items.map(({ id }) => id)).toEqual(
    ids.slice(0, 10).toReversed(),
  );
});
