import { beforeEach, expect, test, vi } from "vitest";
import { db, sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { brokenInvariants, expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { listAlerts } from "../../alerts/index.ts";
import { systemContext } from "../../context.ts";
import { cardAccount, mustPost, SETTLEMENT_ISSUER } from "../../ledger/index.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import {
  aCard,
  aCardMerchant,
  ISSUERS,
  isQuiet,
  issuerOf,
  latestOperation,
  openItemsOf,
  operationRow,
  operatorAlertsAbout,
  readTestCard,
  spendOf,
  spendRow,
  spendSilently,
  type TestCard,
  tellIssuerAbout,
} from "../cards.fixture.ts";
import { changeCard } from "../operations/freeze-and-terminate.ts";
import { settleOperation } from "../operations/settle.ts";
import { shortfallCost, unloadWorth } from "../prices/prices.fixture.ts";
import { alertOnWaitingSpend } from "../sync/alert-on-waiting.ts";
import { compareCards } from "../sync/compare-cards.ts";
import { passOnBalance } from "../sync/pass-on-balance.ts";
import { simulateSpend } from "../sync/simulate-spend.ts";
import { syncCard } from "../sync/sync-cards.ts";
import { expectBooksToAgree, koboIn } from "./books.fixture.ts";
import { recordTransaction } from "./record-transaction.ts";
import { releaseExpiredAuthorizations } from "./release-expired.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const ctx = systemContext("test");
const now = () => readTestCard(shop, card.id);
const wallet = () => koboIn(shop);
const spend = (changes: Parameters<typeof spendOf>[0]) => simulateSpend(shop.ctx, card.id, spendOf(changes));
const terminate = async () => {
  await changeCard(shop.ctx, card.id, "terminate");
  expect((await now()).status).toBe("TERMINATED");
};
/** Terminates the card, and waits for the sweep that the end makes due: later spend then waits for the test. */
async function terminateAndWait(): Promise<void> {
  await terminate();
  await until(async () => isQuiet(await now()));
}
const spendOfType = async (type: string) =>
  (await sql()`select from card_transactions where card_id = ${card.id} and type = ${type}`).length;
const moveSpendBack = (interval: string) => sql()`
  update card_transactions set occurred_at = occurred_at - ${interval}::interval, created_at = created_at - ${interval}::interval
  where card_id = ${card.id}`;
const moveOperationsBack = (interval: string) => sql()`
  update card_operations set created_at = created_at - ${interval}::interval, completed_at = completed_at - ${interval}::interval
  where card_id = ${card.id}`;

beforeEach(async () => {
  shop = await aCardMerchant();
  card = await aCard(shop, { balance: 20 });
});

test("a refund that an issuer lists by its time, below a hundred rows that are known, is found by the next whole read", async () => {
  shop = await aCardMerchant({ issuer: "sandbox-async" });
  card = await aCard(shop, { balance: 20 });
  // As at a busy card: many rows, all known.
  await Promise.all(times(100, () => spendSilently(card, "AUTHORIZATION", 1n)));
  await sql()`update sandbox.card_transactions set created_at = created_at - interval '10 days' where card_id = ${card.providerReference}`;
  await syncCard(await now());
  const before = (await now()).balance;
  const refund = await spendSilently(card, "REFUND", 500n);
  await sql()`update sandbox.card_transactions set created_at = created_at - interval '20 days' where id = ${refund}`;
  await syncCard(await now());
  expect((await now()).balance).toEqual(before);
  await sql()`update cards set spend_read_at = spend_read_at - interval '25 hours' where id = ${card.id}`;
  await syncCard(await now());
  expect((await now()).balance.minor - before.minor).toBe(500n);
  await expectInvariantsToHold();
});

/** A card of an issuer that lists by the time of spend, with many rows that are known. */
async function aBusyCard(): Promise<void> {
  shop = await aCardMerchant({ issuer: "sandbox-async" });
  card = await aCard(shop, { balance: 20 });
  await Promise.all(times(100, () => spendSilently(card, "AUTHORIZATION", 1n)));
  await sql()`update sandbox.card_transactions set created_at = created_at - interval '5 days' where card_id = ${card.providerReference}`;
  await syncCard(await now());
}
/** A refund that the issuer lists behind them. */
async function refundBehind(cents: bigint): Promise<void> {
  const refund = await spendSilently(card, "REFUND", cents);
  await sql()`update sandbox.card_transactions set created_at = created_at - interval '6 days' where id = ${refund}`;
}

test("reads that stop early do not put off the next whole read", async () => {
  await aBusyCard();
  const before = (await now()).balance;
  await refundBehind(500n);
  const letHoursPass = (hours: number) =>
    sql()`update cards set spend_read_at = spend_read_at - ${hours} * interval '1 hour' where id = ${card.id}`;
  await letHoursPass(23);
  await syncCard(await now());
  expect((await now()).balance).toEqual(before);
  await letHoursPass(2);
  await syncCard(await now());
  expect((await now()).balance.minor - before.minor).toBe(500n);
  await expectInvariantsToHold();
});

test("the end of a card causes another whole read of its spend, which explains the money that the issuer returned", async () => {
  await aBusyCard();
  const before = await wallet();
  await refundBehind(500n);
  await syncCard(await now());
  expect(await spendOfType("REFUND")).toBe(0);
  await changeCard(shop.ctx, card.id, "terminate");
  await until(async () => (await spendOfType("REFUND")) === 1);
  await until(async () => (await wallet()) - before === unloadWorth(20 - 1).minor + unloadWorth(5).minor);
  expect(await openItemsOf(shop)).toEqual([]);
  await expectInvariantsToHold();
});

test("an authorization after the end is charged to the wallet before it expires, and its uncleared part is credited back", async () => {
  await terminateAndWait();
  const before = await wallet();
  const ended = await now();
  await sql()`update cards set next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  const list = (type: "AUTHORIZATION" | "CLEARING", transactionReference: string, amount: number, relatedReference: string | null) =>
    recordTransaction(ended, spendRow({ transactionReference, type, amount: dollars(amount), relatedReference }));
  await list("AUTHORIZATION", "held", 10, null);
  await list("CLEARING", "cleared", 4, "held");
  await moveSpendBack("30 days");
  await releaseExpiredAuthorizations(ctx);
  expect((await now()).balance.minor).toBe(-dollars(10).minor);
  await passOnBalance(ended);
  await releaseExpiredAuthorizations(ctx);
  await passOnBalance(ended);
  expect((await wallet()) - before).toBe(unloadWorth(10 - 4).minor - shortfallCost(10).minor);
  expect(await openItemsOf(shop)).toEqual([]);
  expect((await now()).balance).toEqual(dollars(0));
  await expectInvariantsToHold();
});

test("a clearing that follows a clearing leaves the card as its issuer has it, and a refund after the end goes to the wallet", async () => {
  const authorization = await spend({ amount: dollars(10) });
  const first = await spend({ type: "CLEARING", amount: dollars(4), related_transaction_id: authorization.id });
  await spend({ type: "CLEARING", amount: dollars(3), related_transaction_id: first.id });
  expect((await now()).balance).toEqual(dollars(20 - 10));
  expect((await compareCards(ctx, shop.merchant.id)).differences).toEqual([]);
  const before = await wallet();
  await changeCard(shop.ctx, card.id, "terminate");
  await spend({ type: "REFUND", amount: dollars(2) });
  expect((await wallet()) - before).toBe(unloadWorth(10 + 2).minor);
  expect(await openItemsOf(shop)).toEqual([]);
  await expectInvariantsToHold();
});

test("a refund after the end is passed on as soon as the card's last operation is final", async () => {
  await changeCard(shop.ctx, card.id, "freeze");
  await changeCard(shop.ctx, card.id, "unfreeze");
  const before = await wallet();
  await terminate();
  const { id } = await latestOperation(shop, card.id, "freeze");
  // The freeze is processing again, and its issuer does not decide.
  const undecided = vi.spyOn(issuerOf(card), "readOperation").mockResolvedValue({ status: "pending", providerReference: null });
  await sql()`update card_operations set status = 'processing', completed_at = null, next_attempt_at = now() + interval '1 h' where id = ${id}`;
  await spendSilently(card, "REFUND", 300n);
  await syncCard(await now());
  await sql()`update cards set next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  expect((await wallet()) - before).toBe(unloadWorth(20).minor);
  undecided.mockRestore();
  await settleOperation(await operationRow(shop, id), { status: "failed", reason: "Not today." }, { countsAsAttempt: true });
  await until(async () => (await wallet()) - before === unloadWorth(20 + 3).minor);
  await until(async () => isQuiet(await now()));
  await expectInvariantsToHold();
});

test("spend that waits an hour to be passed on alerts operators and the merchant, and is passed on once the issuer can be read", async () => {
  await changeCard(shop.ctx, card.id, "terminate");
  const before = await wallet();
  const silent = vi.spyOn(issuerOf(card), "listTransactions").mockResolvedValue({ status: "unknown" });
  const transactionReference = await spendSilently(card, "REFUND", 300n);
  await recordTransaction(await now(), spendRow({ transactionReference, type: "REFUND", amount: dollars(3) }));
  expect(await alertOnWaitingSpend(ctx)).toBe(0);
  await moveSpendBack("61 minutes");
  await moveOperationsBack("61 minutes");
  expect((await brokenInvariants()).map(({ name }) => name)).toEqual([expect.stringContaining("a terminated card has a balance of zero")]);
  expect(await alertOnWaitingSpend(ctx)).toBe(1);
  expect(await operatorAlertsAbout(card.id)).toEqual(["card_spend.waiting"]);
  await alertOnWaitingSpend(ctx);
  expect((await listAlerts(shop.ctx, { limit: 10 })).items).toMatchObject([{ type: "card_spend.waiting", resourceId: card.id }]);
  silent.mockRestore();
  await sql()`update cards set next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  await alertOnWaitingSpend(ctx);
  await until(async () => (await wallet()) - before === unloadWorth(3).minor);
  await expectInvariantsToHold();
});

test("fresh spend of a card that was blocked days ago raises no alert of waiting, and money left by a correction raises one", async () => {
  await terminateAndWait();
  await sql()`update cards set blocked_at = now() - interval '3 days', blocked_reason = 'A correction.', next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  await recordTransaction(await now(), spendRow({ transactionReference: "fresh", type: "REFUND", amount: dollars(3) }));
  await alertOnWaitingSpend(ctx);
  expect(await operatorAlertsAbout(card.id)).toEqual([]);
  await passOnBalance(await now());
  const left = { debit: SETTLEMENT_ISSUER, credit: cardAccount(card.id), amount: dollars(1) };
  await mustPost(db(), shop.merchant.id, [{ kind: "post", key: "test:left", ...left }]);
  await alertOnWaitingSpend(ctx);
  expect(await operatorAlertsAbout(card.id)).toEqual(["card_spend.waiting"]);
  await mustPost(db(), shop.merchant.id, [{ kind: "reverse", key: "test:left:back", target: "test:left" }]);
});

test("after the end, a clearing of an earlier authorization moves no money and raises no alert", async () => {
  await spend({ amount: dollars(5) });
  const [authorization] = await sql()<{ reference: string }[]>`
    select provider_transaction_id as reference from card_transactions where card_id = ${card.id}`;
  await terminateAndWait();
  const before = await wallet();
  // The next sync is not before tomorrow.
  await sql()`update cards set next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  const relatedReference = authorization?.reference ?? "";
  await recordTransaction(await now(), spendRow({ transactionReference: "c1", type: "CLEARING", amount: dollars(5), relatedReference }));
  await moveSpendBack("61 minutes");
  await moveOperationsBack("61 minutes");
  expect(await alertOnWaitingSpend(ctx)).toBe(0);
  expect(await operatorAlertsAbout(card.id)).toEqual([]);
  expect(await wallet()).toBe(before);
  expect((await now()).balance).toEqual(dollars(0));
  await expectInvariantsToHold();
});

test("an authorization that comes after the end and expires is charged to the wallet and credited to it again, once each", async () => {
  await terminate();
  const before = await wallet();
  await recordTransaction(await now(), spendRow({ transactionReference: "late", type: "AUTHORIZATION", amount: dollars(5) }));
  await passOnBalance(await now());
  const charged = shortfallCost(5).minor;
  expect(before - (await wallet())).toBe(charged);
  await moveSpendBack("9 days");
  await moveOperationsBack("9 days");
  await releaseExpiredAuthorizations(ctx);
  // An authorization is much older than its expiry, so its age raises no alert.
  expect(await alertOnWaitingSpend(ctx)).toBe(0);
  for (let n = 0; n < 3; n++) await passOnBalance(await now());
  expect(before - (await wallet())).toBe(charged - unloadWorth(5).minor);
  await expectInvariantsToHold();
});

test("a reversal that is listed before its clearing, both after the end, leaves nothing in suspense", async () => {
  await spend({ amount: dollars(6) });
  const [authorization] = await sql()<{ reference: string }[]>`
    select provider_transaction_id as reference from card_transactions where card_id = ${card.id}`;
  await terminate();
  const before = await wallet();
  const ended = await now();
  const reversal = spendRow({ transactionReference: "r1", type: "REVERSAL", amount: dollars(2), relatedReference: "c1" });
  await recordTransaction(ended, reversal);
  await passOnBalance(ended);
  const relatedReference = authorization?.reference ?? "";
  await recordTransaction(ended, spendRow({ transactionReference: "c1", type: "CLEARING", amount: dollars(6), relatedReference }));
  await passOnBalance(ended);
  expect((await wallet()) - before).toBe(unloadWorth(2).minor);
  expect(await openItemsOf(shop)).toEqual([]);
  await expectInvariantsToHold();
});

test("an authorization that expires on a terminated card is credited to the wallet without an alert", async () => {
  await spend({ amount: dollars(5) });
  await terminate();
  const before = await wallet();
  await moveSpendBack("9 days");
  await releaseExpiredAuthorizations(ctx);
  await until(async () => (await wallet()) - before === unloadWorth(5).minor);
  expect(await alertOnWaitingSpend(ctx)).toBe(0);
});

test.each(ISSUERS)(
  "an authorization that expires at the issuer %s without a notice is released here, also if its card is terminated",
  async (issuer) => {
    shop = await aCardMerchant({ issuer });
    card = await aCard(shop, { balance: 20 });
    await spend({ amount: dollars(5) });
    const ended = await aCard(shop, { balance: 20 });
    await simulateSpend(shop.ctx, ended.id, spendOf({ amount: dollars(6) }));
    const { isProcessing } = await changeCard(shop.ctx, ended.id, "terminate");
    if (isProcessing) await until(async () => (await readTestCard(shop, ended.id)).status === "TERMINATED");
    const before = await wallet();
    for (const each of [card, ended]) await tellIssuerAbout(each, "expire");
    await sql()`update card_transactions set occurred_at = occurred_at - interval '9 days' where merchant_id = ${shop.merchant.id}`;
    await releaseExpiredAuthorizations(ctx);
    await until(async () => (await wallet()) - before === unloadWorth(6).minor);
    await expectBooksToAgree(shop);
  },
);

test("a hold that expires before the termination is answered goes to the wallet, like one that expires after it", async () => {
  const before = await wallet();
  await spend({ amount: dollars(5) });
  const issuer = issuerOf(card);
  const { terminate: terminateThere } = issuer;
  const answer = vi.spyOn(issuer, "terminate").mockImplementationOnce(async (request) => {
    const outcome = await terminateThere(request);
    await moveSpendBack("30 days");
    await releaseExpiredAuthorizations(ctx);
    return outcome;
  });
  await changeCard(shop.ctx, card.id, "terminate");
  answer.mockRestore();
  await until(async () => isQuiet(await now()));
  expect((await wallet()) - before).toBe(unloadWorth(15 + 5).minor);
  expect(await openItemsOf(shop)).toEqual([]);
  await expectInvariantsToHold();
});

test("an expired hold that waits to be passed on does not delay the release of other holds", async () => {
  const other = await aCard(shop, { balance: 20 });
  await simulateSpend(shop.ctx, other.id, spendOf({ amount: dollars(5) }));
  await sql()`update card_transactions set occurred_at = occurred_at - interval '60 days' where card_id = ${other.id}`;
  await terminateAndWait();
  await sql()`update cards set next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  await recordTransaction(await now(), spendRow({ transactionReference: "waits", type: "AUTHORIZATION", amount: dollars(10) }));
  await moveSpendBack("61 days");
  expect(await releaseExpiredAuthorizations(ctx, 1)).toBe(1);
  expect((await readTestCard(shop, other.id)).balance).toEqual(dollars(20));
  expect((await now()).balance.minor).toBe(-dollars(10).minor);
  await passOnBalance(await now());
  await expectInvariantsToHold();
});

test("late spend that moved nothing in the end explains no surplus: a reversal before its authorization", async () => {
  await terminateAndWait();
  const before = await wallet();
  const ended = await now();
  await recordTransaction(ended, spendRow({ transactionReference: "r1", type: "REVERSAL", amount: dollars(10), relatedReference: "a1" }));
  await recordTransaction(ended, spendRow({ transactionReference: "a1", type: "AUTHORIZATION", amount: dollars(10) }));
  const surplus = { debit: SETTLEMENT_ISSUER, credit: cardAccount(card.id), amount: dollars(10) };
  await mustPost(db(), shop.merchant.id, [{ kind: "post", key: "test:surplus", ...surplus }]);
  await passOnBalance(ended);
  expect(await wallet()).toBe(before);
  expect(await openItemsOf(shop)).toMatchObject([{ kind: "kept_by_issuer", open: dollars(10).minor }]);
  await mustPost(db(), shop.merchant.id, [{ kind: "reverse", key: "test:surplus:back", target: "test:surplus" }]);
  await passOnBalance(ended);
  expect(await openItemsOf(shop)).toEqual([]);
  await expectInvariantsToHold();
});

test("a late authorization that was cleared explains no surplus: the surplus goes to suspense, not to the wallet", async () => {
  await terminateAndWait();
  const before = await wallet();
  const ended = await now();
  await recordTransaction(ended, spendRow({ transactionReference: "a1", type: "AUTHORIZATION", amount: dollars(5) }));
  const clearing = spendRow({ transactionReference: "c1", type: "CLEARING", amount: dollars(5), relatedReference: "a1" });
  await recordTransaction(ended, clearing);
  const amount = dollars(5 + 7);
  await mustPost(db(), shop.merchant.id, [
    { kind: "post", key: "test:unexplained", debit: SETTLEMENT_ISSUER, credit: cardAccount(card.id), amount },
  ]);
  await passOnBalance(ended);
  expect(await wallet()).toBe(before);
  expect(await openItemsOf(shop)).toMatchObject([{ kind: "kept_by_issuer", open: dollars(7).minor }]);
  expect((await now()).balance).toEqual(dollars(0));
  // Reversing the posting leaves the clearing, of which operators decide.
  await mustPost(db(), shop.merchant.id, [{ kind: "reverse", key: "test:unexplained:back", target: "test:unexplained" }]);
  await passOnBalance(ended);
  expect(await openItemsOf(shop)).toMatchObject([{ open: -dollars(5).minor }]);
  expect(await wallet()).toBe(before);
  await expectInvariantsToHold();
});
