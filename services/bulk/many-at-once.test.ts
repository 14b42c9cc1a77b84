import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { advisoryWaiters } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { getWallet } from "../ledger/index.ts";
import { aBulkBuyer, airtimeFile, termsOf } from "./bulk.fixture.ts";
import { confirmBulkOrder, uploadBulkOrder } from "./index.ts";

// Fewer connections than confirmations, so that those which wait could take every one.
withDatabase(undefined, { DATABASE_POOL_SIZE: "3" });
withApp();

test("forty confirmations at once wait for each other without the connections that other work needs", async () => {
  const { ctx } = await aBulkBuyer();
  const draft = await uploadBulkOrder(ctx, airtimeFile(["0001", "0002"]));
  let ended = 0;
  let confirmed: Promise<unknown>[] = [];
  // Another process has the merchant's turn, so that all forty wait until the wallet was read.
  await sql().begin(async (other) => {
    await other`select pg_advisory_xact_lock(hashtextextended(${`bulk_orders/${ctx.merchant.id}`}, 0))`;
    confirmed = times(40, () => confirmBulkOrder(ctx, draft.id, termsOf(draft)).finally(() => ended++));
    await until(async () => (await advisoryWaiters(sql())) === 1);
    await getWallet(ctx);
    expect(ended).toBe(0);
  });
  expect((await Promise.allSettled(confirmed)).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});
