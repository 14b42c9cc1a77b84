import { expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import { DAY_MS } from "#lib/time.ts";
import { aCard, aCardMerchant, issuerOf } from "#services/cards/cards.fixture.ts";
import { alertOnDifferences, compareCards } from "#services/cards/index.ts";
import { systemContext } from "#services/context.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { checkCards, checkInvariants } from "./check-books.ts";

withDatabase();
withApp();
withCardSweeps();

const ctx = systemContext("test");
const alertsOf = (type: string) =>
  sql()<{ resource_id: string; message: string }[]>`select resource_id, message from alerts where type = ${type} order by id`;

test("a broken invariant alerts operators once a week, however many nights find it, and again where other rows break it", async () => {
  const shop = await aMerchant();
  await checkInvariants();
  expect(await alertsOf("invariant.broken")).toEqual([]);
  const spoil = ({ merchant }: TestMerchant) =>
    sql()`update ledger_accounts set posted_credits = posted_credits + 1 where merchant_id = ${merchant.id} and account = 'wallet'`;
  await spoil(shop);
  await checkInvariants();
  const first = await alertsOf("invariant.broken");
  expect(first.length).toBeGreaterThan(0);
  expect(first[0]?.message).toContain(shop.merchant.id);
  await checkInvariants();
  expect(await alertsOf("invariant.broken")).toHaveLength(first.length);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * DAY_MS });
  await checkInvariants();
  vi.useRealTimers();
  expect(await alertsOf("invariant.broken")).toHaveLength(2 * first.length);
  await spoil(await aMerchant());
  await checkInvariants();
  expect((await alertsOf("invariant.broken")).length).toBeGreaterThan(2 * first.length);
});

test("a card that differs from its issuer alerts operators once a week for each difference", async () => {
  const shop = await aCardMerchant();
  const card = await aCard(shop, { balance: 5 });
  const issuer = issuerOf(card);
  const reading = await issuer.readCard(card.providerReference ?? "");
  if (reading.status !== "found") throw new Error("the issuer has no card");
  const lie = vi.spyOn(issuer, "readCard").mockResolvedValue({ ...reading, found: { ...reading.found, balance: dollars(4) } });
  await checkCards(ctx);
  await checkCards(ctx);
  expect(await alertsOf("card.differs")).toMatchObject([{ resource_id: card.id, message: expect.stringContaining("5.00 here and 4.00") }]);
  const { differences } = await compareCards(ctx);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * DAY_MS });
  await alertOnDifferences(ctx, differences);
  vi.useRealTimers();
  expect(await alertsOf("card.differs")).toHaveLength(2);
  lie.mockRestore();
});
