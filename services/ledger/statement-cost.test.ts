import { expect, test } from "vitest";
import { MINUTE_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { readStatement } from "./read-statement.ts";
import { appendEntries, type StoredEntry } from "./statement.fixture.ts";
import { startOfMonth } from "./statement-month.ts";

// One connection, so that the database's counts of rows are of these queries.
withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

test("the balances of a month among 20,000 entries are found by reading less than 200 of them", async () => {
  const { ctx } = await aMerchant();
  const from = startOfMonth("2026-01").getTime();
  const entries = Array.from(
    { length: 20_000 },
    (_, n): StoredEntry => ({ at: new Date(from + n * 6 * MINUTE_MS), side: "credit", posted: 1n }),
  );
  await appendEntries(ctx.merchant.id, entries);
  const rows = await rowsRead("ledger_entries", async () => {
    const statement = await readStatement(ctx, "2026-02", new Date("2026-04-10T12:00:00Z"));
    expect(statement.numbers).toEqual({ first: 7_441n, end: 14_161n });
  });
  expect(rows).toBeLessThan(200);
});
