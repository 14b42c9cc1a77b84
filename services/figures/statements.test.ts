import fc from "fast-check";
import { expect, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import { readStatement, sumStatement } from "../ledger/index.ts";
import { aWallet } from "../ledger/ledger.fixture.ts";
import { appendEntries, type StoredEntry } from "../ledger/statement.fixture.ts";
import { monthAfter, monthOf, startOfMonth } from "../ledger/statement-month.ts";
import { contextOf, sweep } from "./figures.fixture.ts";
import { readFigures } from "./index.ts";

withDatabase();

const DAYS: Record<string, number> = { "02": 28 };
const lastDayOf = (month: string) => `${month}-${DAYS[month.slice(5)] ?? (["04", "06", "09", "11"].includes(month.slice(5)) ? 30 : 31)}`;

test("a month's statement and its figures have the same entries, in whatever order transactions around midnight were numbered", async () => {
  const lastMonth = monthOf(new Date(Date.now() - 40 * 86_400_000));
  const midnight = startOfMonth(monthAfter(lastMonth)).getTime();
  const anEntry = fc.record({
    side: fc.constant("credit" as const),
    posted: fc.integer({ min: 0, max: 900 }).map(BigInt),
    // Entries of one minute may be numbered in another order than their transactions began.
    ms: fc.integer({ min: -25_000, max: 25_000 }),
    type: fc.constantFrom("payment_link", "vtu_airtime_reversal", undefined),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anEntry, { minLength: 2, maxLength: 12 }), fc.integer({ min: 0, max: 12 }), async (entries, counted) => {
      const merchantId = await aWallet(0n);
      const stored = entries.map(
        ({ ms, type, ...entry }): StoredEntry => ({ at: new Date(midnight + ms), ...entry, ...(type && { type }) }),
      );
      // The worker counts in the midst.
      const inLastMonth: StoredEntry = { at: new Date(midnight - 3_600_000), side: "credit", posted: 1n };
      await appendEntries(merchantId, [inLastMonth, ...stored.slice(0, counted)]);
      await sweep();
      await appendEntries(merchantId, stored.slice(counted));
      const ctx = contextOf(merchantId);
      for (const month of [lastMonth, monthAfter(lastMonth)]) {
        const sums = await sumStatement(ctx, await readStatement(ctx, month));
        const { figures } = await readFigures(ctx, { from: `${month}-01`, to: lastDayOf(month) });
        const ofWallet = figures.filter(({ source }) => source === "wallet");
        const total = ofWallet.reduce((sum, { amount }) => sum + amount.minor, 0n);
        expect({ month, total, count: ofWallet.reduce((sum, { count }) => sum + count, 0) }).toEqual({
          month,
          total: (sums?.in.amount.minor ?? 0n) - (sums?.out.amount.minor ?? 0n),
          count: (sums?.in.count ?? 0) + (sums?.out.count ?? 0),
        });
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);
