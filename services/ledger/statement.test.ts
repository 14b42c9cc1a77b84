import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { MerchantContext } from "../context.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import {
  listStatementMonths,
  listWalletTransactions,
  readStatement,
  type Statement,
  sumStatement,
  type WalletTransaction,
} from "./index.ts";
import { fund, hold, kobo, post, spend } from "./ledger.fixture.ts";
import { appendEntries, type StoredEntry } from "./statement.fixture.ts";
import { monthOf, startOfMonth } from "./statement-month.ts";
import { MAX_SUMMED } from "./sum-statement.ts";

withDatabase();

const NOW = new Date("2026-04-10T12:00:00Z");
const MONTHS = ["2026-04", "2026-03", "2026-02", "2026-01"];

async function entriesOf(ctx: MerchantContext, { numbers }: Statement): Promise<WalletTransaction[]> {
  const found: WalletTransaction[] = [];
  let cursor: string | undefined;
  do {
    const page = await listWalletTransactions(ctx, { limit: 700, numbers, cursor });
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found;
}

/** Expects that a statement adds up to the kobo, by its sums and by its entries. */
async function expectToAddUp(ctx: MerchantContext, statement: Statement): Promise<WalletTransaction[]> {
  const sums = await sumStatement(ctx, statement);
  if (!sums) throw new Error("too many entries");
  expect(statement.opening.minor + sums.in.amount.minor - sums.out.amount.minor).toBe(statement.closing.minor);
  const entries = await entriesOf(ctx, statement);
  for (const [side, name] of [
    ["credit", "in"],
    ["debit", "out"],
  ] as const) {
    const those = entries.filter(({ direction }) => direction === side);
    expect(sums[name]).toEqual({ count: those.length, amount: kobo(those.reduce((sum, { amount }) => sum + amount.minor, 0n)) });
    const byType = sums.types.filter((type) => type[name].count > 0);
    expect(byType.map((type) => [type.type, type[name].count])).toEqual(
      [...Map.groupBy(those, ({ type }) => type)].map(([type, list]) => [type, list.length]).toSorted(),
    );
    expect(byType.reduce((sum, type) => sum + type[name].amount.minor, 0n)).toBe(sums[name].amount.minor);
  }
  return entries;
}

/** Entries around the ends of months, whose times go back by up to 50 seconds, holds among them. */
const someEntries = fc
  .array(
    fc.record({
      after: fc.oneof(fc.integer({ min: 0, max: 20 * SECOND_MS }), fc.integer({ min: 0, max: 12 * DAY_MS })),
      back: fc.integer({ min: 0, max: 50 * SECOND_MS }),
      month: fc.integer({ min: 1, max: 3 }),
      snaps: fc.boolean(),
      side: fc.constantFrom("credit" as const, "debit" as const),
      posted: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10_000_00n })),
      type: fc.constantFrom("payment_link", "vtu_airtime", "adjustment", "card_terminate"),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((list) => {
    let at = startOfMonth("2026-01").getTime() + DAY_MS;
    let balance = 0n;
    return list.map(({ after, back, month, snaps, side, posted, type }): StoredEntry => {
      const boundary = startOfMonth(`2026-0${month + 1}`).getTime() - 10 * SECOND_MS;
      at = snaps && boundary > at ? boundary : Math.min(at + after, NOW.getTime());
      // A wallet does not fall below zero.
      const way = side === "debit" && posted > balance ? "credit" : side;
      balance += way === "credit" ? posted : -posted;
      return { at: new Date(at - back), side: way, posted, type };
    });
  });

test("months add up to the kobo, each closes with the balance that opens the next, and each entry is in one of them", async () => {
  await fc.assert(
    fc.asyncProperty(someEntries, async (entries) => {
      const { ctx } = await aMerchant();
      await appendEntries(ctx.merchant.id, entries);
      const months = await listStatementMonths(ctx, NOW);
      expect(months).toEqual(MONTHS.slice(0, months.length));
      const found: WalletTransaction[] = [];
      let opening: Statement["opening"] | undefined;
      for (const month of months) {
        const statement = await readStatement(ctx, month, NOW);
        expect(statement.closing).toEqual(opening ?? statement.closing);
        opening = statement.opening;
        found.push(...(await expectToAddUp(ctx, statement)));
      }
      expect(opening).toEqual(kobo(0n));
      const postings = entries.flatMap(({ posted }, n) => (posted === 0n ? [] : [n + 1])).toReversed();
      expect(found.map(({ seq }) => Number(seq))).toEqual(postings);
    }),
    { numRuns: 60 },
  );
}, 120_000);

test("an entry timed before midnight but numbered after it belongs to the new month, and a closed month never changes", async () => {
  const { ctx } = await aMerchant();
  const midnight = startOfMonth("2026-03").getTime();
  const credit = (ms: number): StoredEntry => ({ at: new Date(midnight + ms), side: "credit", posted: 100n });
  await appendEntries(ctx.merchant.id, [credit(-DAY_MS), credit(-SECOND_MS), credit(0), credit(-30 * SECOND_MS), credit(SECOND_MS)]);
  const february = await readStatement(ctx, "2026-02", NOW);
  expect(february).toMatchObject({ opening: kobo(0n), closing: kobo(200n), isClosed: true, numbers: { first: 1n, end: 3n } });
  for (let n = 0; n < 40; n++) {
    await appendEntries(ctx.merchant.id, [credit(-40 * SECOND_MS + n * 2 * SECOND_MS)]);
    expect(await readStatement(ctx, "2026-02", NOW)).toEqual(february);
  }
  expect((await readStatement(ctx, "2026-03", NOW)).closing).toEqual(kobo(4_500n));
});

test("a month is closed a minute after its end, because a transaction may still get its number, or with the first entry of the next", async () => {
  const { ctx } = await aMerchant();
  const end = startOfMonth("2026-03").getTime();
  await appendEntries(ctx.merchant.id, [{ at: new Date(end - DAY_MS), side: "credit", posted: 100n }]);
  const isClosedAt = async (ms: number) => (await readStatement(ctx, "2026-02", new Date(end + ms))).isClosed;
  expect(await Promise.all([-1, 0, MINUTE_MS - 1, MINUTE_MS].map(isClosedAt))).toEqual([false, false, false, true]);
  await appendEntries(ctx.merchant.id, [{ at: new Date(end), side: "credit", posted: 100n }]);
  expect(await isClosedAt(1)).toBe(true);
});

test("while 50 postings run, a statement of this month adds up at every reading", async () => {
  const { ctx } = await aMerchant();
  const { id } = ctx.merchant;
  await fund(id, 1_000_000n);
  const month = monthOf(new Date());
  let isRunning = true;
  const running = Promise.all(times(50, (n) => (n % 3 === 0 ? fund(id, 7n) : post(id, n % 3 === 1 ? spend(BigInt(n)) : hold(5n))))).finally(
    () => {
      isRunning = false;
    },
  );
  let readings = 0;
  for (; isRunning || readings < 5; readings++) await expectToAddUp(ctx, await readStatement(ctx, month));
  await running;
  expect((await expectToAddUp(ctx, await readStatement(ctx, month))).length).toBeGreaterThan(30);
});

test("a wallet without an entry has an empty statement of this month, and no other month has one", async () => {
  const { ctx } = await aMerchant();
  expect(await listStatementMonths(ctx, NOW)).toEqual(["2026-04"]);
  const statement = await readStatement(ctx, "2026-04", NOW);
  expect(statement).toMatchObject({ opening: kobo(0n), closing: kobo(0n), isClosed: false });
  expect(await expectToAddUp(ctx, statement)).toEqual([]);
  for (const month of ["2026-03", "2026-05", "0000-01", "9999-12"]) {
    await expect(readStatement(ctx, month, NOW)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  }
  for (const month of ["2026-13", "2026-4", "", "2026-04-01", "april"]) {
    await expect(readStatement(ctx, month, NOW)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  }
});

test("a month without an entry between others carries the balance over", async () => {
  const { ctx } = await aMerchant();
  await appendEntries(ctx.merchant.id, [
    { at: startOfMonth("2025-11"), side: "credit", posted: 500n },
    { at: startOfMonth("2026-02"), side: "debit", posted: 200n },
  ]);
  expect(await listStatementMonths(ctx, NOW)).toEqual(["2026-04", "2026-03", "2026-02", "2026-01", "2025-12", "2025-11"]);
  const carried = { opening: kobo(500n), closing: kobo(500n), isClosed: true };
  expect(await readStatement(ctx, "2025-12", NOW)).toMatchObject(carried);
  expect(await readStatement(ctx, "2026-01", NOW)).toMatchObject(carried);
  expect(await readStatement(ctx, "2026-02", NOW)).toMatchObject({ opening: kobo(500n), closing: kobo(300n) });
  expect(await readStatement(ctx, "2026-04", NOW)).toMatchObject({ opening: kobo(300n), closing: kobo(300n), isClosed: false });
});

test("a month of more than 100,000 entries is not summed", async () => {
  const { ctx } = await aMerchant();
  expect(await sumStatement(ctx, { numbers: { first: 1n, end: MAX_SUMMED + 2n } })).toBeUndefined();
  expect(await sumStatement(ctx, { numbers: { first: 1n, end: MAX_SUMMED + 1n } })).toBeDefined();
});
