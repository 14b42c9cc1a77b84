import { beforeEach, describe, expect, test, vi } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { dollars, type Money, money, naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { BY_TWO } from "../../by-two.fixture.ts";
import { walletOf } from "../../checkout/checkout.fixture.ts";
import { systemContext } from "../../context.ts";
import { getWallet } from "../../ledger/index.ts";
import { anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { resolveBlock } from "../cards/resolve-block.ts";
import {
  aCard,
  aCardMerchant,
  addToWallet,
  cardAtIssuer,
  ISSUERS,
  issuerOf,
  letTimePass,
  operationRow,
  orderFault,
  readTestCard,
  settled,
  spendOf,
  type TestCard,
} from "../cards.fixture.ts";
import { fundingCost, minus, plus, unloadWorth } from "../prices/prices.fixture.ts";
import { countEvents, expectBooksToAgree, koboIn } from "../spend/books.fixture.ts";
import { listCardTransactions } from "../spend/list-transactions.ts";
import { alertOnUndecidedOperations } from "../sync/alert-on-waiting.ts";
import { receiveHint } from "../sync/receive-hint.ts";
import { simulateSpend } from "../sync/simulate-spend.ts";
import { callIssuer, claimOperation } from "./claim-and-call.ts";
import { changeCard } from "./freeze-and-terminate.ts";
import { fundCard, unloadCard } from "./fund-and-unload.ts";
import { resolveOperation } from "./resolve.ts";
import { settleOperation } from "./settle.ts";
import { settleByOperator } from "./settle-by-operator.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const fund = (amount: number) => fundCard(shop.ctx, card.id, { amount: dollars(amount) });
const unload = (amount: number) => unloadCard(shop.ctx, card.id, { amount: dollars(amount) });
const now = () => readTestCard(shop, card.id);
const spend = (changes: Parameters<typeof spendOf>[0]) => simulateSpend(shop.ctx, card.id, spendOf(changes));
const asAttempt = { countsAsAttempt: true };
const setBalanceAtIssuer = ({ minor }: Money) =>
  sql()`update sandbox.cards set balance = ${String(minor)}::text::bigint where id = ${card.providerReference}`;

/** Splits the results of requests that ran at once into their values and the codes of their errors. */
function split<T>(results: PromiseSettledResult<T>[]) {
  return {
    made: results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
    refused: results.flatMap((result) => (result.status === "rejected" ? [(result.reason as { code?: string }).code] : [])),
  };
}

describe.each(ISSUERS)("at the issuer %s", (issuer) => {
  beforeEach(async () => {
    shop = await aCardMerchant({ issuer });
    card = await aCard(shop, { balance: 20 });
  });

  test("of twenty fundings at once, as many pass as the wallet covers", async () => {
    shop = await aCardMerchant({ issuer, wallet: 0 });
    const cost = fundingCost(10);
    // The wallet is one kobo short of eight fundings.
    await addToWallet(shop, money(8n * cost.minor - 1n, "NGN"));
    card = await aCard(shop);
    const { made, refused } = split(await Promise.allSettled(times(20, () => fund(10))));
    expect(made).toHaveLength(7);
    expect(refused).toEqual(Array(13).fill("INSUFFICIENT_BALANCE"));
    for (const operation of made) expect((await settled(operation)).status).toBe("completed");
    const left = money(cost.minor - 1n, "NGN");
    expect(await getWallet(shop.ctx)).toEqual({ balance: left, available: left, held: naira(0), owed: naira(0) });
    expect((await now()).balance).toEqual(dollars(7 * 10));
    await expectBooksToAgree(shop);
  });

  test("a funding that the issuer executes without an answer is charged once, when the issuer has confirmed it", async () => {
    await orderFault(issuer, "fund", "hang_after", card);
    const before = await getWallet(shop.ctx);
    const operation = await fund(30);
    expect(operation.status).toBe("processing");
    expect((await getWallet(shop.ctx)).balance.minor).toBeLessThanOrEqual(before.balance.minor);
    expect((await settled(operation)).status).toBe("completed");
    const after = minus(before.balance, fundingCost(30));
    expect(await getWallet(shop.ctx)).toEqual({ balance: after, available: after, held: naira(0), owed: naira(0) });
    expect((await cardAtIssuer(card))?.balance).toEqual(dollars(20 + 30));
    expect(await countEvents(shop, "card.funded")).toBe(2);
    await expectBooksToAgree(shop);
  });

  test.each(["error_after", "nonsense"] as const)(
    "a funding that the issuer executes and answers with %s is charged once",
    async (fault) => {
      await orderFault(issuer, "fund", fault, card);
      const operation = await fund(30);
      expect(operation.status).toBe("processing");
      expect((await settled(operation)).status).toBe("completed");
      expect((await cardAtIssuer(card))?.balance).toEqual(dollars(20 + 30));
      await expectBooksToAgree(shop);
    },
  );

  test("a funding that never reaches the issuer keeps its hold until the issuer would list it, and then the hold is released once", async () => {
    await orderFault(issuer, "fund", "hang_before", card);
    const before = await getWallet(shop.ctx);
    const operation = await fund(30);
    expect(operation.status).toBe("processing");
    expect((await getWallet(shop.ctx)).held).toEqual(fundingCost(30));
    await letTimePass(operation);
    const after = await settled(operation);
    expect(after).toMatchObject({ status: "failed", failureReason: "The card issuer never received it." });
    expect(await getWallet(shop.ctx)).toEqual(before);
    expect((await cardAtIssuer(card))?.balance).toEqual(dollars(20));
    await expectBooksToAgree(shop);
  });

  test("a funding that the issuer refuses fails at once and costs nothing", async () => {
    await orderFault(issuer, "fund", "refuse", card);
    const before = await getWallet(shop.ctx);
    expect((await fund(30)).status).toBe("failed");
    expect(await getWallet(shop.ctx)).toEqual(before);
    expect(await countEvents(shop, "card.funded")).toBe(1);
    await expectBooksToAgree(shop);
  });

  test("an operation whose process stalls too long after the claim is never sent to the issuer", async () => {
    const claimed = await transaction((tx) =>
      claimOperation(tx, shop.ctx, { id: "cop_stalled", merchantId: shop.merchant.id, cardId: card.id, type: "freeze" }),
    );
    expect((await callIssuer(claimed, { card, elapsedMs: () => 10_000 })).status).toBe("processing");
    await letTimePass(claimed);
    expect((await settled(claimed)).failureReason).toBe("The card issuer never received it.");
    expect((await cardAtIssuer(card))?.state).toBe("ACTIVE");
  });

  test("a funding whose answer arrives ten times at once is settled once", async () => {
    await orderFault(issuer, "fund", "error_before", card);
    const row = await operationRow(shop, (await fund(30)).id);
    const done = { status: "completed", providerReference: "x", issued: null, taken: null } as const;
    await Promise.all(times(10, () => settleOperation(row, done, asAttempt)));
    await settleOperation(row, { status: "failed", reason: "too late" }, asAttempt);
    expect((await now()).balance).toEqual(dollars(20 + 30));
    expect(await countEvents(shop, "card.funded")).toBe(2);
    await expectInvariantsToHold();
    // The issuer funded nothing in this test.
    await setBalanceAtIssuer(dollars(20 + 30));
  });

  test("of two unloads of the whole balance at once, one passes", async () => {
    const before = await walletOf(shop);
    const { made, refused } = split(await Promise.allSettled([unload(20), unload(20)]));
    expect(refused).toEqual(["INSUFFICIENT_CARD_BALANCE"]);
    const [operation] = made;
    if (!operation) throw new Error("neither passed");
    expect((await settled(operation)).status).toBe("completed");
    expect(await walletOf(shop)).toEqual(plus(before, unloadWorth(20)));
    expect((await now()).balance).toEqual(dollars(0));
    await expectBooksToAgree(shop);
  });

  test("an unload credits the amount that the issuer confirms, even if it is less than requested", async () => {
    await orderFault(issuer, "unload", "error_before", card);
    const before = await walletOf(shop);
    const { id } = await unload(10);
    const taken = dollars(7.33);
    const done = { status: "completed", providerReference: "x", issued: null, taken } as const;
    await settleOperation(await operationRow(shop, id), done, asAttempt);
    expect(await operationRow(shop, id)).toMatchObject({
      status: "completed",
      amount: taken.minor,
      walletAmount: unloadWorth(7.33).minor,
    });
    expect(await walletOf(shop)).toEqual(plus(before, unloadWorth(7.33)));
    const left = minus(dollars(20), taken);
    expect((await now()).balance).toEqual(left);
    await expectInvariantsToHold();
    // The issuer took nothing in this test.
    await setBalanceAtIssuer(left);
  });

  test("an unload that the issuer executes and answers with an error is credited once", async () => {
    await orderFault(issuer, "unload", "error_after", card);
    const before = await walletOf(shop);
    const operation = await unload(20);
    expect((await now()).balance).toEqual(dollars(0));
    expect((await settled(operation)).status).toBe("completed");
    expect(await walletOf(shop)).toEqual(plus(before, unloadWorth(20)));
    await expectBooksToAgree(shop);
  });

  test("spend that is announced many times at once, and again later, is recorded once", async () => {
    const authorization = await spend({ amount: dollars(4) });
    await spend({ type: "CLEARING", amount: dollars(3), related_transaction_id: authorization.id });
    const hint = { reference: card.providerReference ?? "" };
    await Promise.all(times(10, () => receiveHint(systemContext("test"), issuer, hint)));
    await receiveHint(systemContext("test"), issuer, hint);
    await receiveHint(systemContext("test"), issuer, { reference: "crd_of_nobody" });
    expect((await listCardTransactions(shop.ctx, card.id, { limit: 10 })).items).toHaveLength(2);
    expect(await countEvents(shop, "card.transaction")).toBe(2);
    expect((await now()).balance).toEqual(dollars(20 - 4));
    await expectBooksToAgree(shop);
  });

  test("hints cause at most one attempt of an unload, and an unload that took nothing fails, even with the card's own reference", async () => {
    await orderFault(issuer, "unload", "error_before", card);
    const row = await operationRow(shop, (await unload(5)).id);
    await Promise.all(times(5, () => receiveHint(systemContext("test"), issuer, { reference: card.providerReference ?? "" })));
    const after = await operationRow(shop, row.id);
    expect(after.attempts - row.attempts).toBeLessThanOrEqual(1);
    await settleOperation(row, { status: "pending", providerReference: card.providerReference }, asAttempt);
    await settleOperation(row, { status: "completed", providerReference: "x", issued: null, taken: dollars(0) }, asAttempt);
    expect(await operationRow(shop, row.id)).toMatchObject({ status: "failed" });
    expect((await now()).balance).toEqual(dollars(20));
    await expectBooksToAgree(shop);
  });

  test("freezes and unfreezes at once leave the card in the state that its issuer has", async () => {
    await Promise.allSettled([
      ...times(3, () => changeCard(shop.ctx, card.id, "freeze")),
      ...times(3, () => changeCard(shop.ctx, card.id, "unfreeze")),
    ]);
    const running = await sql()<{ id: string }[]>`select id from card_operations where card_id = ${card.id}`;
    await Promise.all(running.map(({ id }) => settled({ merchantId: shop.merchant.id, id })));
    expect((await now()).status).toBe((await cardAtIssuer(card))?.state);
  });
});

test("an operation that its issuer never decides alerts operators after a day, and delays a termination until an operator settles it", async () => {
  shop = await aCardMerchant();
  card = await aCard(shop, { balance: 20 });
  const ctx = systemContext("test");
  await orderFault("sandbox", "unload", "error_before", card);
  const { id } = await unload(5);
  const issuer = issuerOf(card);
  const { readOperation } = issuer;
  const tooMuch = dollars(5.01);
  const lie = vi
    .spyOn(issuer, "readOperation")
    .mockImplementation(async (question) =>
      question.type === "unload" ? { status: "completed", providerReference: "p", issued: null, taken: tooMuch } : readOperation(question),
    );
  await resolveOperation(await operationRow(shop, id));
  await resolveBlock(anOperator, card.id, "The issuer insists.");
  await changeCard(shop.ctx, card.id, "terminate");
  await sql()`update card_operations set created_at = created_at - interval '25 hours' where card_id = ${card.id} and status = 'processing'`;
  expect(await alertOnUndecidedOperations(ctx)).toBe(2);
  expect(await decidedByTwo((by) => settleByOperator(by, id, { taken: tooMuch, reason: "Too much." }))).toBe(false);
  const before = await koboIn(shop);
  expect(
    await decidedByTwo((by) => settleByOperator(by, id, { taken: null, reason: "The issuer's people say that it was not done." })),
  ).toBe(true);
  lie.mockRestore();
  expect((await operationRow(shop, id)).status).toBe("failed");
  await until(async () => (await now()).status === "TERMINATED");
  expect((await koboIn(shop)) - before).toBe(unloadWorth(20).minor);
  const audited = await sql()`select reason, after from audit_entries where action = 'card_operation.settled' and subject = ${id}`;
  expect(audited).toEqual([
    { reason: "The issuer's people say that it was not done.", after: { outcome: "failed", taken: null, ...BY_TWO } },
  ]);
  await expectInvariantsToHold();
});

test("an operation that five operators settle at once, while its issuer answers too, is settled and audited once", async () => {
  shop = await aCardMerchant();
  card = await aCard(shop, { balance: 20 });
  await orderFault("sandbox", "unload", "hang_before", card);
  const { id } = await unloadCard(shop.ctx, card.id, { amount: dollars(5) });
  const before = await koboIn(shop);
  const operation = await operationRow(shop, id);
  const byOperator = () =>
    decidedByTwo((by) => settleByOperator(by, id, { taken: null, reason: "The issuer's people say that it was not done." }));
  const [, ...settledByOperator] = await Promise.all([
    settleOperation(operation, { status: "failed", reason: "Refused." }, { countsAsAttempt: true }),
    ...times(5, byOperator),
  ]);
  const [row] = await sql()<{ times: number }[]>`
    select count(*)::int as times from audit_entries where action = 'card_operation.settled' and subject = ${id}`;
  expect(row?.times).toBe(settledByOperator.filter(Boolean).length);
  expect(row?.times).toBeLessThanOrEqual(1);
  expect(await operationRow(shop, id)).toMatchObject({ status: "failed", recheckAt: row?.times === 1 ? expect.any(Date) : null });
  expect(await koboIn(shop)).toBe(before);
  await expectInvariantsToHold();
});
