import { expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, naira } from "#lib/money.ts";
import { DAY_MS } from "#lib/time.ts";
import { aCard, aCardMerchant, issuerOf } from "#services/cards/cards.fixture.ts";
import { alertOnDifferences, compareCards } from "#services/cards/index.ts";
import { listChecks } from "#services/checks/index.ts";
import { systemContext } from "#services/context.ts";
import { SETTLEMENT_BANK, WALLET } from "#services/ledger/index.ts";
import { post } from "#services/ledger/ledger.fixture.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase, withoutTriggers } from "#testing/database.ts";
import { checkCards, checkInvariants } from "./check-books.ts";

withDatabase();
withApp();
withCardSweeps();

const ctx = systemContext("test");
const alertsOf = (type: string) =>
  sql()<{ resource_id: string; message: string }[]>`select resource_id, message from alerts where type = ${type} order by id`;

test("a broken invariant alerts operators once a week, however many nights find it, and again where other rows break it", async () => {
  const shop = await aMerchant();
  await checkInvariants(ctx);
  expect(await alertsOf("invariant.broken")).toEqual([]);
  const [sound] = await listChecks(anOperator);
  const [entries] = await sql()<{ count: bigint }[]>`select count(*) from ledger_entries`;
  expect(sound).toMatchObject({ kind: "invariants", state: "sound", findings: 0, rowsRead: Number(entries?.count), sample: [] });
  const spoil = ({ merchant }: TestMerchant) =>
    sql()`update ledger_accounts set posted_credits = posted_credits + 1 where merchant_id = ${merchant.id} and account = 'wallet'`;
  await spoil(shop);
  await checkInvariants(ctx);
  const first = await alertsOf("invariant.broken");
  const [broken] = await listChecks(anOperator);
  expect(broken).toMatchObject({ state: "findings", findings: first.length });
  expect(broken?.sample[0]?.shown).toContain(shop.merchant.id);
  expect(first.length).toBeGreaterThan(0);
  expect(first[0]?.message).toContain(shop.merchant.id);
  await checkInvariants(ctx);
  expect(await alertsOf("invariant.broken")).toHaveLength(first.length);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * DAY_MS });
  await checkInvariants(ctx);
  vi.useRealTimers();
  expect(await alertsOf("invariant.broken")).toHaveLength(2 * first.length);
  await spoil(await aMerchant());
  await checkInvariants(ctx);
  expect((await alertsOf("invariant.broken")).length).toBeGreaterThan(2 * first.length);
});

/** Sets the clock of this process to the next day of this number, 0 for Sunday. */
const goToDay = (day: number) => {
  const today = new Date().getUTCDay();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ((day + 7 - today) % 7) * DAY_MS });
};

test("the nightly check examines the causes of the last three days' postings, and on Sundays of all postings", async () => {
  const { merchant } = await aMerchant();
  await post(merchant.id, { kind: "post", key: "gift:1", debit: SETTLEMENT_BANK, credit: WALLET, amount: naira(1) });
  await withoutTriggers((tx) => tx`update ledger_transfers set created_at = created_at - interval '30 days' where key = 'gift:1'`);
  const about = async () => (await alertsOf("invariant.broken")).filter(({ message }) => message.includes("gift:1"));
  goToDay(1);
  await checkInvariants(ctx);
  expect(await about()).toEqual([]);
  vi.useRealTimers();
  goToDay(0);
  await checkInvariants(ctx);
  vi.useRealTimers();
  expect(await about()).toMatchObject([{ resource_id: expect.stringContaining("every posting has a cause") }]);
});

test("books that cannot be checked alert operators, and the night's work fails", async () => {
  await sql()`alter table payment_links rename to hidden`;
  await expect(checkInvariants(ctx)).rejects.toThrow();
  await sql()`alter table hidden rename to payment_links`;
  const [failed] = await listChecks(anOperator);
  expect(failed).toMatchObject({ kind: "invariants", state: "failed", failure: 'relation "payment_links" does not exist' });
  const about = (await alertsOf("invariant.broken")).filter(({ resource_id: id }) => id === "check");
  expect(about).toMatchObject([{ message: expect.stringContaining("npm run check:ledger") }]);
});

test("a card that differs from its issuer alerts operators once a week for each difference", async () => {
  const shop = await aCardMerchant();
  const card = await aCard(shop, { balance: 5 });
  const issuer = issuerOf(card);
  const reading = await issuer.readCard(card.providerReference ?? "");
  if (reading.status !== "found") throw new Error("the issuer has no card");
  const withBalance = (amount: number) => ({ ...reading, found: { ...reading.found, balance: dollars(amount) } });
  const lie = vi.spyOn(issuer, "readCard").mockResolvedValue(withBalance(4));
  await checkCards(ctx);
  const [compared] = await listChecks(anOperator);
  expect(compared).toMatchObject({ kind: "cards", state: "findings", findings: 1, sample: [{ rows: 1 }] });
  expect(compared?.sample[0]?.what).toContain(card.id);
  await checkCards(ctx);
  expect(await alertsOf("card.differs")).toMatchObject([{ resource_id: card.id, message: expect.stringContaining("5.00 here and 4.00") }]);
  lie.mockResolvedValue(withBalance(3));
  await checkCards(ctx);
  expect(await alertsOf("card.differs")).toMatchObject([
    {},
    { resource_id: card.id, message: expect.stringContaining("5.00 here and 3.00") },
  ]);
  const { differences } = await compareCards(ctx);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * DAY_MS });
  await alertOnDifferences(ctx, differences);
  vi.useRealTimers();
  expect(await alertsOf("card.differs")).toHaveLength(3);
  lie.mockRestore();
});
