import { expect, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { systemContext } from "../context.ts";
import { aWallet, fund } from "../ledger/ledger.fixture.ts";
import { sealWallets } from "./seal-wallets.ts";

// One connection, so that the database's counts of rows are of these queries.
withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const seal = () => sealWallets(systemContext("test"));

test("a sweep reads each entry once, and none where nothing is new", async () => {
  const [busy] = [await aWallet(1n), await aWallet(1n), await aWallet(1n)];
  for (let n = 0; n < 5; n++) {
    for (let i = 0; i < 20; i++) await fund(busy, 1n);
    await seal();
  }
  await fund(busy, 1n);
  const tables = ["ledger_entries", "ledger_transfers"] as const;
  for (const table of tables) {
    await fund(busy, 1n);
    expect(await rowsRead(table, seal)).toBeLessThanOrEqual(10);
    expect(await rowsRead(table, seal)).toBe(0);
  }
});
