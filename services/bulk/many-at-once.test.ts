import { expect, test } from "vitest";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
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
  const confirmed = Array.from({ length: 40 }, () => confirmBulkOrder(ctx, draft.id, termsOf(draft)).finally(() => ended++));
  const outcomes = Promise.allSettled(confirmed);
  await getWallet(ctx);
  expect(ended).toBeLessThan(10);
  expect((await outcomes).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});
