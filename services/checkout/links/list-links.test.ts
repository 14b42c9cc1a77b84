import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import type { Page } from "../../pagination.ts";
import type { PaymentLink } from "../payment-link.ts";
import { storeLinks } from "./links-in-bulk.fixture.ts";
import { type LinksQuery, listPaymentLinks } from "./list-links.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const MANY = 60_000;
const END = new Date("2026-03-01T00:00:00.000Z");
/** A page, and the few rows that tell whether there are more. */
const A_FEW = 100;

let shop: TestMerchant;
let stored: string[];
beforeAll(async () => {
  shop = await aMerchant();
  stored = await storeLinks(shop.merchant.id, {
    count: MANY,
    everyMs: 10_000,
    until: END,
    status: (n) => (n % 4 === 0 ? "success" : "expired"),
  });
  // A neighbour's rows lie in between.
  await storeLinks((await aMerchant()).merchant.id, { count: 2_000, everyMs: 100_000, until: END });
  // As autovacuum does within a minute.
  await sql()`analyze payment_links`;
});

const list = (query: Partial<LinksQuery> = {}): Promise<Page<PaymentLink>> => listPaymentLinks(shop.ctx, { limit: 20, ...query });
const idsOf = ({ items }: Page<PaymentLink>) => items.map(({ id }) => id);
const newest = (ids: string[], count = 20) => ids.toReversed().slice(0, count);

/** Returns all pages from the first on. */
async function pagesOf(query: Partial<LinksQuery>): Promise<Page<PaymentLink>[]> {
  const pages = [await list(query)];
  for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) pages.push(await list({ ...query, cursor }));
  return pages;
}

test.each<[string, Partial<LinksQuery>, (n: number) => boolean]>([
  ["the newest", {}, () => true],
  ["the newest paid ones", { status: "success" }, (n) => n % 4 === 0],
  ["those before a time", { created_before: new Date(END.getTime() - 15_000 * 10_000) }, (n) => n < MANY - 1 - 15_000],
  [
    "those of an hour",
    { created_after: new Date(END.getTime() - 20 * HOUR_MS), created_before: new Date(END.getTime() - 19 * HOUR_MS) },
    (n) => n >= MANY - 1 - 20 * 360 && n < MANY - 1 - 19 * 360,
  ],
  [
    "the expired ones before a time",
    { status: "expired", created_before: new Date(END.getTime() - 24 * HOUR_MS) },
    (n) => n % 4 !== 0 && n < MANY - 1 - 24 * 360,
  ],
])("a page of %s reads about as many rows as it shows, of 60,000", async (_name, query, isWanted) => {
  const rows = await rowsRead("payment_links", async () =>
    expect(idsOf(await list(query))).toEqual(newest(stored.filter((_, n) => isWanted(n)))),
  );
  // Times are bounded by ids with five minutes to spare: 30 links here.
  expect(rows).toBeLessThan(A_FEW + 30);
});

test("a filter that no index serves reads at most 5,000 rows an answer, says how far it looked, and misses none", async () => {
  const min_amount = naira(100 + (MANY - 100) / 100);
  const max_amount = naira(100 + 49 / 100);
  const rows = await rowsRead("payment_links", async () => {
    const page = await list({ max_amount });
    expect(page).toMatchObject({ items: [], searchedTo: new Date(END.getTime() - 4_999 * 10_000) });
    expect(page.nextCursor).not.toBeNull();
  });
  expect(rows).toBeLessThanOrEqual(3 * 5_000 + A_FEW);
  const pages = await pagesOf({ max_amount });
  expect(pages.flatMap(idsOf)).toEqual(newest(stored.slice(0, 50), 50));
  expect(pages.length).toBeLessThanOrEqual(14);
  expect(await rowsRead("payment_links", () => list({ min_amount }))).toBeLessThan(A_FEW);
  expect((await pagesOf({ min_amount, status: "success" })).flatMap(idsOf)).toEqual(
    stored.filter((_, n) => n % 4 === 0 && n >= MANY - 100).toReversed(),
  );
});

test("the way back from the last pages shows the same links", async () => {
  const pages = await pagesOf({ created_before: new Date(END.getTime() - (MANY - 70) * 10_000) });
  expect(pages.map(({ items }) => items.length)).toEqual([20, 20, 20, 9]);
  const back = await list({ created_before: new Date(END.getTime() - (MANY - 70) * 10_000), cursor: pages[3]?.previousCursor ?? "" });
  expect(idsOf(back)).toEqual(idsOf(pages[2] ?? back));
});

test("a link is found by the time of its row, also if that differs by up to five minutes from the time in its id", async () => {
  const own = await aMerchant();
  const ids = await storeLinks(own.merchant.id, { count: 3, everyMs: HOUR_MS, until: END });
  const shifts = [-4 * MINUTE_MS, 0, 4 * MINUTE_MS];
  for (const [i, id] of ids.entries())
    await sql()`update payment_links set created_at = created_at + ${shifts[i] ?? 0} * interval '1 ms' where id = ${id}`;
  const times = ids.map((_, i) => new Date(END.getTime() - (2 - i) * HOUR_MS + (shifts[i] ?? 0)));
  for (const [i, created_after] of times.entries()) {
    const created_before = new Date(created_after.getTime() + 1);
    expect(idsOf(await listPaymentLinks(own.ctx, { limit: 20, created_after, created_before }))).toEqual([ids[i]]);
  }
});

test("links whose time is over are listed as expired and not as pending before a sweep, and listing writes nothing", async () => {
  const own = await aMerchant();
  const [older, old, fresh] = await storeLinks(own.merchant.id, { count: 3, everyMs: HOUR_MS, status: () => "pending" });
  const listed = async (query: Partial<LinksQuery>) =>
    (await listPaymentLinks(own.ctx, { limit: 20, ...query })).items.map(({ id, status }) => `${id} ${status}`);
  const expired = [`${old} expired`, `${older} expired`];
  expect(await listed({ status: "expired" })).toEqual(expired);
  expect(await listed({ status: "pending" })).toEqual([`${fresh} pending`]);
  expect(await listed({})).toEqual([`${fresh} pending`, ...expired]);
  expect(await sql()`select distinct status from payment_links where merchant_id = ${own.merchant.id}`).toEqual([{ status: "pending" }]);
});
