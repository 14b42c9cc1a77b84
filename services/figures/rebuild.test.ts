import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aWallet, post } from "../ledger/ledger.fixture.ts";
import { anOperator } from "../merchants/merchant.fixture.ts";
import { countedLines, creditKobo, creditOf, cursorOf, debitOf, expectedLines, happen, moveLast, sweep } from "./figures.fixture.ts";
import { rebuildFigures } from "./index.ts";

withDatabase();

test("a rebuild comes to the same figures, repairs wrong ones, and leaves those of other merchants alone", async () => {
  const [merchantId, other] = [await aWallet(900n), await aWallet(900n)];
  await moveLast(merchantId, "entry", new Date("2026-10-01T23:30:00Z"));
  await creditKobo(merchantId, 2_500);
  await happen(merchantId, "vtu.success", { amount: 12.5 });
  await sweep();
  const before = await countedLines(merchantId);
  await rebuildFigures(anOperator, merchantId);
  expect(await countedLines(merchantId)).toEqual(before);
  await sql()`update daily_figures set kobo = kobo + 1 where merchant_id in (${merchantId}, ${other})`;
  await sql()`insert into daily_figures values (${merchantId}, '2020-01-01', 'wallet', 'invented', 1, 1)`;
  const others = await countedLines(other);
  await rebuildFigures(anOperator, merchantId);
  expect(await countedLines(merchantId)).toEqual(before);
  expect(await countedLines(other)).toEqual(others);
  await rebuildFigures(anOperator, other);
  await expectInvariantsToHold();
});

test("rebuilds, sweeps and postings at once count every entry once", async () => {
  const merchantId = await aWallet(10_000n);
  await creditKobo(merchantId, 2_500);
  let isPosting = true;
  const others = [
    ...times(2, async () => {
      while (isPosting) await sweep();
    }),
    ...times(2, async () => {
      while (isPosting) await rebuildFigures(anOperator, merchantId);
    }),
  ];
  for (let n = 0; n < 60; n++) {
    await post(merchantId, creditOf(n + 1, "payment_link"), debitOf(1, "card_fund"));
    await happen(merchantId, "checkout.expired", { amount: n });
  }
  isPosting = false;
  await Promise.all(others);
  await sweep();
  expect(await countedLines(merchantId)).toEqual(await expectedLines(merchantId));
  await expectInvariantsToHold();
});

test("a rebuild of an unknown merchant leaves no row", async () => {
  await rebuildFigures(anOperator, "mer_nobody");
  expect(await cursorOf("mer_nobody")).toBeUndefined();
});
