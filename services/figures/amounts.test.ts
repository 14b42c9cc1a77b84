import { expect, test } from "vitest";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { aLink, hear, makeOverdue, noticeOf } from "../checkout/checkout.fixture.ts";
import { expireDueLinks } from "../checkout/index.ts";
import { systemContext } from "../context.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { happen, readLines } from "./figures.fixture.ts";

withDatabase();
withApp();

const withoutDay = (lines: string[]) => lines.map((line) => line.slice(11));

test("a paid, a recalled and an expired link are counted with their amounts", async () => {
  const shop = await aMerchant();
  const [kept, recalled, expired] = [
    await aLink(shop, { amount: 5_000 }),
    await aLink(shop, { amount: 2_000.5 }),
    await aLink(shop, { amount: 300 }),
  ];
  await hear(noticeOf(kept));
  const notice = noticeOf(recalled);
  await hear(notice);
  await hear({ ...notice, returnedBecause: "recalled" });
  await makeOverdue(expired);
  await expireDueLinks(systemContext("test"));
  expect(withoutDay(await readLines(shop.merchant.id))).toEqual([
    "event checkout.expired 1 30000",
    "event checkout.success 2 700050",
    "event checkout.transfer_recalled 1 200050",
    "wallet payment_link 2 700050",
    "wallet payment_link_recall 1 -200050",
  ]);
});

test("events count the Naira of purchases and card operations, and no dollars", async () => {
  const { merchant } = await aMerchant();
  await happen(merchant.id, "vtu.success", { amount: 1_234.56, currency: "NGN" });
  await happen(merchant.id, "vtu.failed", { amount: 0.1 });
  await happen(merchant.id, "vtu.reversed", { amount: 9_999_999_999.99 });
  await happen(merchant.id, "card.funded", { amount: 20, currency: "USD", wallet_amount: 32_050.25 });
  await happen(merchant.id, "card.unloaded", { amount: 10, wallet_amount: 15_000 });
  await happen(merchant.id, "card.transaction", { amount: 7, currency: "USD" });
  await happen(merchant.id, "checkout.success", { amount: "5000" });
  await happen(merchant.id, "checkout.success", { amount: null });
  await happen(merchant.id, "checkout.success", {});
  expect(withoutDay(await readLines(merchant.id))).toEqual([
    "event card.funded 1 3205025",
    "event card.transaction 1 0",
    "event card.unloaded 1 1500000",
    "event checkout.success 3 0",
    "event vtu.failed 1 10",
    "event vtu.reversed 1 999999999999",
    "event vtu.success 1 123456",
  ]);
});
