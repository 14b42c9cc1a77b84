import { describe, expect, test } from "vitest";
import { lagosDay } from "#lib/time.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aWallet, post } from "../ledger/ledger.fixture.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import {
  contextOf,
  countedLines,
  creditKobo,
  creditOf,
  debitOf,
  expectedLines,
  happen,
  moveLast,
  readLines,
  sweep,
} from "./figures.fixture.ts";
import { readFigures } from "./index.ts";

withDatabase();

test("a reading adds the entries and events after the cursor, and reads the same after the sweep", async () => {
  const merchantId = await aWallet();
  await post(merchantId, creditOf(1_000, "payment_link"));
  await happen(merchantId, "checkout.success", { amount: 10 });
  await sweep();
  await post(merchantId, creditOf(500, "payment_link"), debitOf(200, "card_fund"));
  await happen(merchantId, "checkout.success", { amount: 5 });
  await happen(merchantId, "card.issued");
  const before = await readLines(merchantId);
  expect(before.map((line) => line.slice(11))).toEqual([
    "event card.issued 1 0",
    "event checkout.success 2 1500",
    "wallet card_fund 1 -200",
    "wallet payment_link 2 1500",
  ]);
  expect(await countedLines(merchantId)).toHaveLength(2);
  await sweep();
  expect(await readLines(merchantId)).toEqual(before);
  expect(await countedLines(merchantId)).toEqual(before);
});

describe.each(["before", "after"])("the midnight of Lagos, %s the sweep,", (when) => {
  test.each([
    ["22:59:59.999", "2026-11-20"],
    ["23:00:00.000", "2026-11-21"],
    ["23:30:00.000", "2026-11-21"],
  ])("puts %s UTC of 20 November on %s", async (time, day) => {
    const merchantId = await aWallet();
    await post(merchantId, creditOf(100));
    await moveLast(merchantId, "entry", new Date(`2026-11-20T${time}Z`));
    await happen(merchantId, "card.issued");
    await moveLast(merchantId, "event", new Date(`2026-11-20T${time}Z`));
    if (when === "after") await sweep();
    const { figures } = await readFigures(contextOf(merchantId), { from: "2026-11-19", to: "2026-11-22" });
    expect(figures.map((figure) => figure.day)).toEqual([day, day]);
    expect(lagosDay(new Date(`2026-11-20T${time}Z`))).toBe(day);
  });
});

test("both days of a range are read, and no day beside it, counted or not", async () => {
  const merchantId = await aWallet();
  for (const day of ["19", "20", "21", "22"]) {
    await post(merchantId, creditOf(Number(day)));
    await moveLast(merchantId, "entry", new Date(`2026-11-${day}T12:00:00Z`));
    if (day === "20") await sweep();
  }
  const daysOf = async () =>
    (await readFigures(contextOf(merchantId), { from: "2026-11-20", to: "2026-11-21" })).figures.map(({ day, amount }) => [
      day,
      amount.minor,
    ]);
  const expected = [
    ["2026-11-20", 20n],
    ["2026-11-21", 21n],
  ];
  expect(await daysOf()).toEqual(expected);
  await sweep();
  expect(await daysOf()).toEqual(expected);
});

test("more than 5,000 uncounted entries make a reading incomplete, until a sweep has counted them", async () => {
  const merchantId = await aWallet();
  const today = { from: lagosDay(new Date()), to: lagosDay(new Date(Date.now() + 60_000)) };
  const read = async () => {
    const { figures, isComplete } = await readFigures(contextOf(merchantId), today);
    return { isComplete, count: figures.reduce((sum, { count }) => sum + count, 0) };
  };
  expect(await read()).toEqual({ isComplete: true, count: 0 });
  await creditKobo(merchantId, 5_000);
  expect(await read()).toEqual({ isComplete: true, count: 5_000 });
  await creditKobo(merchantId, 1);
  expect(await read()).toEqual({ isComplete: false, count: 5_000 });
  await sweep();
  expect(await read()).toEqual({ isComplete: true, count: 5_001 });
});

test("no reading counts an entry twice or leaves one out while sweeps run", async () => {
  const merchantId = await aWallet();
  const today = { from: lagosDay(new Date()), to: lagosDay(new Date(Date.now() + 600_000)) };
  let [begun, done] = [0, 0];
  const isPosting = () => done < 300;
  const posting = (async () => {
    while (isPosting()) {
      begun += 1;
      await post(merchantId, creditOf(1));
      done += 1;
    }
  })();
  const sweeps = times(2, async () => {
    while (isPosting()) await sweep();
  });
  const readings = times(3, async () => {
    while (isPosting()) {
      const least = done;
      const { figures } = await readFigures(contextOf(merchantId), today);
      const count = figures.reduce((sum, figure) => sum + figure.count, 0);
      expect(count).toBeGreaterThanOrEqual(least);
      expect(count).toBeLessThanOrEqual(begun);
    }
  });
  await Promise.all([posting, ...sweeps, ...readings]);
  await expectInvariantsToHold();
});

test("a merchant reads nothing of another business or of its other mode", async () => {
  const [shop, other] = [await aMerchant(), await aMerchant()];
  for (const isCounted of [true, false]) {
    for (const { merchant } of [shop, other]) await post(merchant.id, creditOf(merchant === shop.merchant ? 5 : 7));
    await happen(other.merchant.id, "card.issued");
    if (isCounted) await sweep();
  }
  expect((await readLines(shop.merchant.id)).map((line) => line.slice(11))).toEqual(["wallet adjustment 2 10"]);
  expect(await readLines(shop.merchant.id)).toEqual(await expectedLines(shop.merchant.id));
  const live = await readFigures(shop.liveCtx, { from: lagosDay(new Date()), to: lagosDay(new Date(Date.now() + 60_000)) });
  expect(live).toEqual({ figures: [], isComplete: true });
});

test.each([
  ["not a day", { from: "2026-02-30", to: "2026-03-01" }, "from"],
  ["a time", { from: "2026-02-01T00:00:00Z", to: "2026-03-01" }, "from"],
  ["days in the wrong order", { from: "2026-03-02", to: "2026-03-01" }, "to"],
  ["401 days", { from: "2025-01-01", to: "2026-02-05" }, "to"],
])("%s is refused", async (_name, days, param) => {
  const refused = readFigures(contextOf("mer_any"), days);
  await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR", errors: [{ param }] });
});

test("400 days are read", async () => {
  expect(await readFigures(contextOf("mer_any"), { from: "2025-01-01", to: "2026-02-04" })).toEqual({ figures: [], isComplete: true });
});
