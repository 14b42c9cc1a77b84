import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { DAY_MS } from "#lib/time.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { aLink, hear, noticeOf } from "../checkout.fixture.ts";
import { listReturnedTransfers } from "./list-returned-transfers.ts";

withDatabase();
withApp();

const lately = () => new Date(Date.now() - DAY_MS);

test("transfers that go back to their senders are listed newest first with what was due, and accepted ones are not", async () => {
  const shop = await aMerchant();
  const [paid, under, over] = [await aLink(shop), await aLink(shop), await aLink(shop)];
  await hear(noticeOf(paid));
  await hear(noticeOf(under, { amount: naira(400) }));
  await hear(noticeOf(over, { amount: naira(9_000_000) }));
  const found = await listReturnedTransfers(shop.ctx, { since: lately(), limit: 10 });
  expect(found.map(({ link, amount, classification }) => [link.reference, link.amount, amount, classification])).toEqual([
    [over.reference, over.amount, naira(9_000_000), "overpaid"],
    [under.reference, under.amount, naira(400), "underpaid"],
  ]);
  expect(await listReturnedTransfers(shop.ctx, { since: lately(), limit: 1 })).toHaveLength(1);
  expect(await listReturnedTransfers(shop.ctx, { since: new Date(Date.now() + DAY_MS), limit: 10 })).toEqual([]);
});

test("another merchant's returned transfers are not listed", async () => {
  const [shop, other] = [await aMerchant(), await aMerchant()];
  await hear(noticeOf(await aLink(other), { amount: naira(400) }));
  expect(await listReturnedTransfers(shop.ctx, { since: lately(), limit: 10 })).toEqual([]);
});
