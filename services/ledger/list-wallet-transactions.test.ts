import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { HOUR_MS, SECOND_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import type { Page } from "../pagination.ts";
import { listWalletTransactions, type WalletQuery, type WalletTransaction } from "./list-wallet-transactions.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const MANY = 20_000;
const EVERY_S = 10;
const END = new Date("2026-03-01T00:00:00.000Z");
const timeOf = (seq: number) => new Date(END.getTime() - (MANY - seq) * EVERY_S * SECOND_MS);
/** Every fourth entry is a hold's; every thousandth posting is a card's. */
const isHold = (seq: number) => seq % 4 === 0;
const isCard = (seq: number) => seq % 1_000 === 1;

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
  await storeEntries(shop.merchant.id);
});

/** Stores entries of a wallet at equal distances of time, as the ledger would have. Their times go back now and then, as real ones do. */
async function storeEntries(merchantId: string): Promise<void> {
  const numbered = sql()`
    select n, ${END.toISOString()}::text::timestamptz - (${MANY} - n) * ${EVERY_S} * interval '1 s' - (n % 3) * interval '25 s' as at from generate_series(1, ${MANY}) n`;
  await sql()`
    insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount, meta, created_at)
    select ${merchantId}, 'ltr_' || n, 'bulk:' || n, '', 'post', 'posted', 'wallet', 'suspense', 'NGN', 100,
      jsonb_build_object('type', case when n % 1000 = 1 then 'card_fund' else 'vtu_airtime' end, 'reference', 'r' || n), at from (${numbered}) numbered`;
  await sql()`
    insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after, created_at)
    select ${merchantId}, 'wallet', n, 'ltr_' || n, case when n % 2 = 1 then 'debit' else 'credit' end::ledger_side,
      case when n % 4 = 0 then 0 else 100 end, case when n % 4 = 0 then 100 else 0 end, 0, at from (${numbered}) numbered`;
  await sql()`update ledger_accounts set seq = ${MANY} where merchant_id = ${merchantId} and account = 'wallet'`;
  await sql()`analyze ledger_entries, ledger_transfers`;
}

const list = (query: Partial<WalletQuery> = {}): Promise<Page<WalletTransaction>> =>
  listWalletTransactions(shop.ctx, { limit: 20, ...query });
const seqsOf = ({ items }: Page<WalletTransaction>) => items.map(({ seq }) => Number(seq));
const shiftOf = (seq: number) => (seq % 3) * 25 * SECOND_MS;
/** Returns the numbers of the postings that pass, newest first. */
const postings = (passes: (seq: number, at: number) => boolean) =>
  Array.from({ length: MANY }, (_, i) => MANY - i).filter((seq) => !isHold(seq) && passes(seq, timeOf(seq).getTime() - shiftOf(seq)));

test("a page of the newest skips holds, and reads about as many rows as it shows, of 20,000", async () => {
  const rows = await rowsRead("ledger_entries", async () => expect(seqsOf(await list())).toEqual(postings(() => true).slice(0, 20)));
  expect(rows).toBeLessThan(100);
});

test("entries of an hour are found by their numbers, although their times are not always in order", async () => {
  const [after, before] = [new Date(END.getTime() - 30 * HOUR_MS), new Date(END.getTime() - 29 * HOUR_MS)];
  const wanted = postings((_seq, at) => at >= after.getTime() && at < before.getTime());
  const rows = await rowsRead("ledger_entries", async () => {
    const first = await list({ created_after: after, created_before: before, limit: 100 });
    const rest = await list({ created_after: after, created_before: before, limit: 100, cursor: first.nextCursor ?? "" });
    const last = await list({ created_after: after, created_before: before, limit: 100, cursor: rest.nextCursor ?? "" });
    expect([first, rest, last].flatMap(seqsOf)).toEqual(wanted);
  });
  expect(wanted.length).toBeGreaterThan(250);
  expect(rows).toBeLessThan(3_000);
});

test("a range that begins or ends where times are out of order misses no entry", async () => {
  for (let shift = 0; shift < 40; shift++) {
    const after = new Date(END.getTime() - 20 * HOUR_MS + shift * 4 * SECOND_MS);
    const before = new Date(after.getTime() + 60 * SECOND_MS);
    const wanted = postings((_seq, at) => at >= after.getTime() && at < before.getTime());
    expect(seqsOf(await list({ created_after: after, created_before: before }))).toEqual(wanted);
  }
});

test("a search for a rare type reads 5,000 rows for each answer, and misses no entry", async () => {
  const pages = [await list({ type: "card_fund", direction: "debit" })];
  for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await list({ type: "card_fund", direction: "debit", cursor }));
  }
  expect(pages.flatMap(seqsOf)).toEqual(postings((seq) => isCard(seq)));
  expect(pages[0]?.searchedTo).toEqual(new Date(timeOf(MANY - 4_999).getTime() - shiftOf(MANY - 4_999)));
  expect(pages).toHaveLength(5);
});

test("a range without an entry is empty, also before the first entry and after the last", async () => {
  const day = 24 * HOUR_MS;
  for (const from of [timeOf(1).getTime() - 2 * day, END.getTime() + day]) {
    expect(await list({ created_after: new Date(from), created_before: new Date(from + HOUR_MS) })).toMatchObject({
      items: [],
      nextCursor: null,
    });
  }
});
