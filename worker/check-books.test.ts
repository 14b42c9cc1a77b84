import { expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import { aCard, aCardMerchant, issuerOf } from "#services/cards/cards.fixture.ts";
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

test("a broken invariant alerts operators once, however many nights find it, and again where other rows break it", async () => {
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
  await spoil(await aMerchant());
  await checkInvariants();
  expect((await alertsOf("invariant.broken")).length).toBeGreaterThan(first.length);
});

test("a card that differs from its issuer alerts operators once for each difference", async () => {
  const shop = await aCardMerchant();
  const card = await aCard(shop, { balance: 5 });
  const issuer = issuerOf(card);
  const { readCard } = issuer;
  const lie = vi.spyOn(issuer, "readCard").mockImplementation(async (reference) => {
    const reading = await readCard(reference);
    return reading.status === "found" ? { ...reading, found: { ...reading.found, balance: dollars(4) } } : reading;
  });
  await checkCards(ctx);
  await checkCards(ctx);
  expect(await alertsOf("card.differs")).toMatchObject([{ resource_id: card.id, message: expect.stringContaining("5.00 here and 4.00") }]);
  lie.mockRestore();
});
