import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db, sql, transaction } from "#db/client.ts";
import { findBrokenInvariants } from "#db/invariants.ts";
import { dollars, type Money, money, naira } from "#lib/money.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { OperationOutcome } from "#providers/issuer.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { accountBalance, eventTypesOf, walletOf } from "../checkout/checkout.fixture.ts";
import { systemContext } from "../context.ts";
import { cardAccount, getWallet, mustPost, SETTLEMENT_ISSUER } from "../ledger/index.ts";
import { anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { listSuspense } from "../suspense/index.ts";
import { alarmOnWaitingSpend } from "./alarm-on-waiting.ts";
import type { OperationRow } from "./card-operation.ts";
import {
  aCard,
  aCardMerchant,
  issuerOf,
  letTimePass,
  openItemsOf,
  orderFault,
  readTestCard,
  settled,
  spendOf,
  spendRow,
  spendSilently,
  type TestCard,
  tellIssuer,
} from "./cards.fixture.ts";
import { carryOut, claimOperation } from "./carry-out.ts";
import { changeCard } from "./change-card.ts";
import { compareCards } from "./compare-cards.ts";
import { holdOfWallet } from "./journal.ts";
import { fundCard, unloadCard } from "./move-money.ts";
import { recordTransaction } from "./record-transaction.ts";
import { releaseExpiredAuthorizations } from "./release-expired.ts";
import { resolveBlock } from "./resolve-block.ts";
import { resolveItem } from "./resolve-item.ts";
import { lookAgainAtLostOperations, resolveOperation } from "./resolve-operations.ts";
import { findOperation } from "./rows.ts";
import { settleOperation } from "./settle-operation.ts";
import { simulateSpend } from "./simulate-spend.ts";
import { syncCard } from "./sync-cards.ts";
import { holdOrRefuse } from "./wallet-hold.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const atItsTurn = { isTurn: true };
const now = () => readTestCard(shop, card.id);
const wallet = async () => (await walletOf(shop)).minor;
const issuer = () => issuerOf(card);
const atIssuer = async () => {
  const reading = await issuer().readCard(card.providerReference ?? "");
  return reading.status === "found" ? reading.found : undefined;
};
const rowOf = async (id: string): Promise<OperationRow> => {
  const row = await findOperation(shop.merchant.id, id);
  if (!row) throw new Error("gone");
  return row;
};
const done = (taken: Money | null = null): OperationOutcome => ({ status: "completed", providerReference: "theirs", issued: null, taken });
const operatorAlerts = (resource: string) =>
  sql()<{ type: string }[]>`select type from alerts where merchant_id = 'mer_platform_test' and resource_id = ${resource}`;
const suspended = () => accountBalance(shop.merchant.id, "suspense:issuer");
const openItems = () => openItemsOf(shop);

/** A funding of ten dollars that is claimed, with its ₦17,600 held, and of which the issuer has not heard. */
async function aClaimedFunding(): Promise<OperationRow> {
  return transaction(async (tx) => {
    const prices = { amount: 1_000n, fee: 100n, exchangeRate: 16_000_000n, midRate: 15_500_000n, walletAmount: 1_760_000n };
    const id = `cop_claimed${Math.random()}`;
    const operation = await claimOperation(tx, { id, merchantId: shop.merchant.id, cardId: card.id, type: "fund", ...prices });
    await holdOrRefuse(tx, shop.merchant.id, holdOfWallet(operation));
    return operation;
  });
}

/** The process that claimed it was paused before it asked, and was given up. Its call may still come: `lateCall`. */
async function aLostFunding(): Promise<{ operation: OperationRow; lateCall: () => Promise<OperationOutcome> }> {
  await orderFault("sandbox", "fund", "hang_before", card);
  const operation = await fundCard(shop.ctx, card.id, { amount: dollars(10), maxExchangeRate: null });
  await letTimePass(operation);
  expect(await settled(operation)).toMatchObject({ status: "failed", failureReason: "The card issuer never received it." });
  const request = { reference: operation.reference, cardReference: card.providerReference ?? "", amount: dollars(10) };
  return { operation: await rowOf(operation.id), lateCall: () => issuer().fund(request) };
}

beforeEach(async () => {
  shop = await aCardMerchant();
  card = await aCard(shop, { balance: 20 });
});

describe("a process that stalls", () => {
  test("while it marks a funding as asked never asks, and the money comes back", async () => {
    const before = await getWallet(shop.ctx);
    const elapsedMs = startStopwatch();
    const operation = await aClaimedFunding();
    let asking: Promise<OperationRow> | undefined;
    await sql().begin(async (tx) => {
      await tx`select 1 from card_operations where id = ${operation.id} for update`;
      asking = carryOut(operation, { card, elapsedMs });
      await until(async () => elapsedMs() > 10_500);
    });
    expect((await asking)?.status).toBe("processing");
    expect((await atIssuer())?.balance).toEqual(dollars(20));
    await letTimePass(operation);
    expect((await settled(operation)).status).toBe("failed");
    expect(await getWallet(shop.ctx)).toEqual(before);
    expect((await atIssuer())?.balance).toEqual(dollars(20));
    await expectInvariantsToHold();
  });

  test("and marks a funding as asked while another finds that the issuer does not know it: it is not given up", async () => {
    const operation = await aClaimedFunding();
    await sql()`update card_operations set created_at = created_at - interval '20 s' where id = ${operation.id}`;
    const reading = vi.spyOn(issuer(), "readOperation").mockImplementationOnce(async () => {
      await sql()`update card_operations set asked_at = clock_timestamp() where id = ${operation.id}`;
      return { status: "not_found" };
    });
    await resolveOperation(await rowOf(operation.id));
    reading.mockRestore();
    expect((await rowOf(operation.id)).status).toBe("processing");
    await letTimePass(operation);
    await settled(operation);
  });

  test("finds its operation given up, and does not ask", async () => {
    const operation = await aClaimedFunding();
    await letTimePass(operation);
    await settled(operation);
    expect((await carryOut(operation, { card, elapsedMs: () => 0 })).status).toBe("failed");
    expect((await atIssuer())?.balance).toEqual(dollars(20));
  });
});

describe("a funding that was given up and that the issuer did after all", () => {
  test("is charged once, however many hear of it, and the card stands still until an operator has looked into it", async () => {
    const before = await getWallet(shop.ctx);
    const { operation, lateCall } = await aLostFunding();
    const word = await lateCall();
    await Promise.all(times(10, () => settleOperation(operation, word, atItsTurn)));
    expect(await rowOf(operation.id)).toMatchObject({ status: "completed", failureReason: null, correctedAt: expect.any(Date) });
    expect(await wallet()).toBe(before.balance.minor - 1_760_000n);
    expect((await now()).balance).toEqual(dollars(30));
    expect((await atIssuer())?.balance).toEqual(dollars(30));
    expect((await eventTypesOf(shop)).filter((type) => type === "card.funded")).toHaveLength(2);
    expect(await operatorAlerts(card.id)).toEqual([{ type: "card.blocked" }]);
    const refused = { code: "CARD_NOT_ACTIVE" };
    await expect(fundCard(shop.ctx, card.id, { amount: dollars(1), maxExchangeRate: null })).rejects.toMatchObject(refused);
    await expect(unloadCard(shop.ctx, card.id, dollars(1))).rejects.toMatchObject(refused);
    await expect(changeCard(shop.ctx, card.id, "terminate")).rejects.toMatchObject(refused);
    expect((await changeCard(shop.ctx, card.id, "freeze")).card.status).toBe("FROZEN");
    await changeCard(shop.ctx, card.id, "unfreeze");
    expect(await resolveBlock(anOperator, card.id, "The issuer confirmed it.")).toBe(true);
    expect(await resolveBlock(anOperator, card.id, "Again.")).toBe(false);
    expect((await unloadCard(shop.ctx, card.id, dollars(1))).status).toBe("completed");
    expect((await compareCards(systemContext("test"), shop.merchant.id)).differences).toEqual([]);
    await expectInvariantsToHold();
  });

  test("is owed where the wallet has been spent meanwhile, and paid by the next credit", async () => {
    const { operation, lateCall } = await aLostFunding();
    const { available } = await getWallet(shop.ctx);
    const other = await aCard(shop);
    const most = money(((available.minor / 1_600n) * 100n) / 101n, "USD");
    await settled(await fundCard(shop.ctx, other.id, { amount: most, maxExchangeRate: null }));
    const left = await wallet();
    await settleOperation(operation, await lateCall(), atItsTurn);
    expect((await getWallet(shop.ctx)).owed.minor).toBe(1_760_000n - left);
    await settled(await unloadCard(shop.ctx, other.id, dollars(100)));
    expect((await getWallet(shop.ctx)).owed).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("is found by the look that follows, also when the process that asked died at once", async () => {
    const { operation, lateCall } = await aLostFunding();
    await lateCall();
    expect(operation.lookAgainAt).not.toBeNull();
    await sql()`update card_operations set look_again_at = now() where id = ${operation.id}`;
    await until(async () => {
      await lookAgainAtLostOperations(systemContext("test"));
      return (await rowOf(operation.id)).status === "completed";
    });
    expect((await now()).blockedAt).not.toBeNull();
    expect((await compareCards(systemContext("test"), shop.merchant.id)).differences).toEqual([]);
    await expectInvariantsToHold();
  });
});

test("an unload, a freeze and a termination that were given up and done after all are posted once, and the card stands still", async () => {
  for (const type of ["unload", "freeze", "terminate"] as const) {
    card = await aCard(shop, { balance: 20 });
    const before = await wallet();
    await orderFault("sandbox", type === "terminate" ? "close" : type, "hang_before", card);
    if (type === "unload") await unloadCard(shop.ctx, card.id, dollars(5));
    else await changeCard(shop.ctx, card.id, type);
    const [running] = await sql()<{ id: string }[]>`select id from card_operations where card_id = ${card.id} and status = 'processing'`;
    const operation = await rowOf(running?.id ?? "");
    await letTimePass(operation);
    await settled(operation);
    const request = { reference: operation.reference, cardReference: card.providerReference ?? "", amount: dollars(5) };
    const word = await issuer()[type](request);
    await Promise.all(times(5, () => settleOperation(operation, word, atItsTurn)));
    expect((await wallet()) - before).toBe({ unload: 750_000n, freeze: 0n, terminate: 3_000_000n }[type]);
    const { status, blockedAt, balance } = await now();
    expect({ status, balance }).toEqual({
      status: { unload: "ACTIVE", freeze: "FROZEN", terminate: "TERMINATED" }[type],
      balance: (await atIssuer())?.balance,
    });
    expect(blockedAt).not.toBeNull();
  }
  await expectInvariantsToHold();
});

describe("an issuer that errs", () => {
  test("and says that an unload took more than was asked for credits nobody, until it says otherwise", async () => {
    await orderFault("sandbox", "unload", "error_before", card);
    const before = await wallet();
    const { id } = await unloadCard(shop.ctx, card.id, dollars(5));
    await settleOperation(await rowOf(id), done(dollars(2_000)), atItsTurn);
    expect(await rowOf(id)).toMatchObject({ status: "processing", walletAmount: 750_000n });
    expect(await wallet()).toBe(before);
    expect((await now()).blockedAt).not.toBeNull();
    await expectInvariantsToHold();
    await settleOperation(await rowOf(id), done(dollars(5)), atItsTurn);
    expect(await wallet()).toBe(before + 750_000n);
    await expectInvariantsToHold();
  });

  /** The issuer closes the card and says that it returned so many dollars. */
  const terminateSaying = async (taken: Money) => {
    const { terminate } = issuer();
    const lying = vi
      .spyOn(issuer(), "terminate")
      .mockImplementationOnce(async (request) => ({ ...(await terminate(request)), taken }) as OperationOutcome);
    await changeCard(shop.ctx, card.id, "terminate");
    lying.mockRestore();
  };

  test("and says that it returned more than the card had: the wallet gets what the card had, the rest waits in suspense", async () => {
    const before = await wallet();
    await terminateSaying(dollars(2_000));
    expect((await wallet()) - before).toBe(3_000_000n);
    expect(await openItems()).toMatchObject([{ kind: "returned_by_issuer", open: 198_000n }]);
    expect(await suspended()).toBe(198_000n);
    expect(await now()).toMatchObject({ status: "TERMINATED", balance: dollars(0) });
    await expectInvariantsToHold();
  });

  test("and returned less: the wallet gets that, the rest waits, and a refund that comes later is passed on in full", async () => {
    const before = await wallet();
    await terminateSaying(dollars(19.99));
    expect((await wallet()) - before).toBe(1_999n * 1_500n);
    const [item] = await openItems();
    expect(item).toMatchObject({ kind: "kept_by_issuer", open: 1n });
    expect(await operatorAlerts(item?.id ?? "")).toEqual([{ type: "suspense.opened" }]);
    await simulateSpend(shop.ctx, card.id, spendOf({ type: "REFUND", amount: dollars(5) }));
    expect((await wallet()) - before).toBe(2_499n * 1_500n);
    expect(await suspended()).toBe(1n);
    await expectInvariantsToHold();
  });

  test("and makes a debt of a card that had money: the wallet pays nothing", async () => {
    const before = await wallet();
    await terminateSaying(money(-200_000n, "USD"));
    expect(await wallet()).toBe(before);
    expect((await openItems()).toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toMatchObject([
      { kind: "kept_by_issuer", open: 2_000n },
      { kind: "returned_by_issuer", open: -200_000n },
    ]);
    await expectInvariantsToHold();
  });

  test("and whose list of spend is late: what it lists later explains the difference, and the wallet moves no second time", async () => {
    const tell = (type: "CLEARING" | "REFUND", transactionReference: string, amount: number) =>
      recordTransaction(card, spendRow({ transactionReference, type, amount: dollars(amount) }));
    // The shop took $8 before the end; the issuer returned $12, and did not list the $8 yet.
    const before = await wallet();
    await terminateSaying(dollars(12));
    expect((await wallet()) - before).toBe(1_200n * 1_500n);
    await tell("CLEARING", "late-clearing", 8);
    await syncCard(await now());
    expect((await wallet()) - before).toBe(1_200n * 1_500n);
    expect(await openItems()).toEqual([]);
    expect(await suspended()).toBe(0n);
    // A refund of $3 before the end, which the issuer returned and lists later.
    card = await aCard(shop, { balance: 20 });
    const second = await wallet();
    await terminateSaying(dollars(23));
    expect((await wallet()) - second).toBe(2_000n * 1_500n);
    await tell("REFUND", "late-refund", 3);
    await syncCard(await now());
    expect((await wallet()) - second).toBe(2_300n * 1_500n);
    expect(await openItems()).toEqual([]);
    await expectInvariantsToHold();
  });

  test("never makes the wallet gain more than its books explain, whatever it returns and lists, and in whatever order", async () => {
    const event = fc.record({
      type: fc.constantFrom("REFUND", "CLEARING", "FEE", "AUTHORIZATION"),
      cents: fc.integer({ min: 1, max: 900 }),
    });
    const story = fc.record({
      before: fc.array(event, { maxLength: 3 }),
      said: fc.integer({ min: -2_000, max: 6_000 }),
      after: fc.array(event, { maxLength: 4 }),
    });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(story, async ({ before, said, after }) => {
        shop = await aCardMerchant();
        card = await aCard(shop, { balance: 20 });
        const start = await wallet();
        const tell = ({ type, cents }: { type: string; cents: number }) =>
          recordTransaction(
            card,
            spendRow({ transactionReference: `story-${n++}`, type: type as "REFUND", amount: money(BigInt(cents), "USD") }),
          );
        for (const each of before) await tell(each);
        const { balance } = await now();
        await terminateSaying(money(BigInt(said), "USD"));
        const gained = (await wallet()) - start;
        const worth = balance.minor > 0n ? balance.minor * 1_500n : 0n;
        expect(gained <= worth).toBe(true);
        for (const each of after) {
          await tell(each);
          await syncCard(await now());
        }
        const refunds = after.reduce((sum, { type, cents }) => sum + (type === "REFUND" ? BigInt(cents) : 0n), 0n);
        expect((await wallet()) - start <= worth + refunds * 1_500n).toBe(true);
        expect((await now()).balance).toEqual(dollars(0));
        await expectInvariantsToHold();
      }),
      { numRuns: 12 },
    );
  }, 400_000);
});

test("a clearing that follows a clearing leaves the card as the issuer has it, and refunds after its end come through", async () => {
  const spend = (changes: Parameters<typeof spendOf>[0]) => simulateSpend(shop.ctx, card.id, spendOf(changes));
  const authorization = await spend({ amount: dollars(10) });
  const first = await spend({ type: "CLEARING", amount: dollars(4), related_transaction_id: authorization.id });
  await spend({ type: "CLEARING", amount: dollars(3), related_transaction_id: first.id });
  expect((await now()).balance).toEqual(dollars(10));
  expect((await compareCards(systemContext("test"), shop.merchant.id)).differences).toEqual([]);
  const before = await wallet();
  await changeCard(shop.ctx, card.id, "terminate");
  await spend({ type: "REFUND", amount: dollars(2) });
  expect((await wallet()) - before).toBe(1_200n * 1_500n);
  expect(await openItems()).toEqual([]);
  await expectInvariantsToHold();
});

test("a refund after the end, while an operation is processing, is passed on as soon as that is final", async () => {
  await changeCard(shop.ctx, card.id, "freeze");
  await changeCard(shop.ctx, card.id, "unfreeze");
  const before = await wallet();
  await changeCard(shop.ctx, card.id, "terminate");
  expect((await now()).status).toBe("TERMINATED");
  const row = await rowOf(
    (await sql()<{ id: string }[]>`select id from card_operations where card_id = ${card.id} and type = 'freeze'`)[0]?.id ?? "",
  );
  // An operation of this card is processing again, and its issuer does not decide.
  const undecided = vi.spyOn(issuer(), "readOperation").mockResolvedValue({ status: "pending", providerReference: null });
  await sql()`update card_operations set status = 'processing', completed_at = null, next_attempt_at = now() + interval '1 h' where id = ${row.id}`;
  await spendSilently(card, "REFUND", 300n);
  await syncCard(await now());
  await sql()`update cards set next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  expect((await wallet()) - before).toBe(2_000n * 1_500n);
  undecided.mockRestore();
  await settleOperation(await rowOf(row.id), { status: "failed", reason: "Not today." }, atItsTurn);
  await until(async () => (await wallet()) - before === 2_300n * 1_500n);
  await until(async () => {
    const { nextSyncAt } = await now();
    return nextSyncAt && nextSyncAt.getTime() > Date.now() + HOUR_MS;
  });
  await expectInvariantsToHold();
});

test("a cent on a terminated card that its spend does not explain goes to suspense, and the refund beside it to the wallet", async () => {
  await changeCard(shop.ctx, card.id, "terminate");
  await until(async () => {
    const { nextSyncAt } = await now();
    return nextSyncAt && nextSyncAt.getTime() > Date.now() + HOUR_MS;
  });
  const before = await wallet();
  const cent = { key: "test:cent", debit: SETTLEMENT_ISSUER, credit: cardAccount(card.id), amount: dollars(0.01) };
  await mustPost(db(), shop.merchant.id, [{ kind: "post", ...cent }]);
  await simulateSpend(shop.ctx, card.id, spendOf({ type: "REFUND", amount: dollars(5) }));
  expect((await wallet()) - before).toBe(500n * 1_500n);
  expect(await openItems()).toMatchObject([{ kind: "kept_by_issuer", open: 1n }]);
  expect((await now()).balance).toEqual(dollars(0));
  // What put it there is taken back.
  await mustPost(db(), shop.merchant.id, [{ kind: "reverse", key: "test:cent:back", target: "test:cent" }]);
  await syncCard(await now());
  expect(await openItems()).toEqual([]);
  await expectInvariantsToHold();
});

test("spend that waits for an hour to be passed on is told to operators, breaks an invariant, and is passed on once the issuer can be read", async () => {
  await changeCard(shop.ctx, card.id, "terminate");
  const before = await wallet();
  const silent = vi.spyOn(issuer(), "listTransactions").mockResolvedValue({ status: "unknown" });
  const transactionReference = await spendSilently(card, "REFUND", 300n);
  const merchant = { name: "Shop", categoryCode: null, city: null, country: null };
  const refund = { type: "REFUND", amount: dollars(3), relatedReference: null, declineReason: null, occurredAt: new Date() } as const;
  await recordTransaction(await now(), { ...refund, transactionReference, merchant });
  expect(await alarmOnWaitingSpend(systemContext("test"))).toBe(0);
  await sql()`update card_transactions set created_at = created_at - interval '61 minutes' where card_id = ${card.id}`;
  await sql()`update card_operations set completed_at = completed_at - interval '61 minutes' where card_id = ${card.id}`;
  expect((await findBrokenInvariants(sql())).map(({ name }) => name)).toEqual([
    expect.stringContaining("a terminated card has a balance of zero"),
  ]);
  expect(await alarmOnWaitingSpend(systemContext("test"))).toBe(1);
  expect(await operatorAlerts(card.id)).toEqual([{ type: "card_spend.waiting" }]);
  silent.mockRestore();
  await sql()`update cards set next_sync_at = now() where id = ${card.id}`;
  await until(async () => (await wallet()) - before === 300n * 1_500n);
  await expectInvariantsToHold();
});

describe.each(["sandbox", "sandbox-async"] as const)("at the issuer %s", (name) => {
  beforeEach(async () => {
    shop = await aCardMerchant({ issuer: name });
    card = await aCard(shop, { balance: 20 });
  });
  const tell = (operation: string) =>
    tellIssuer(name, operation, name === "sandbox" ? { card: card.providerReference } : { cardToken: card.providerReference });

  test("a card that the issuer closes of its own accord ends here too, and its money comes home, once", async () => {
    const before = await wallet();
    await tell("shut");
    await until(async () => (await now()).status === "TERMINATED");
    await Promise.all([syncCard(await now()), syncCard(await now())]);
    expect((await wallet()) - before).toBe(3_000_000n);
    expect(await operatorAlerts(card.id)).toEqual([{ type: "card.closed_by_issuer" }]);
    expect((await eventTypesOf(shop)).filter((type) => type === "card.terminated")).toHaveLength(1);
    expect((await compareCards(systemContext("test"), shop.merchant.id)).differences).toEqual([]);
    await expectInvariantsToHold();
  });

  test("a card that the issuer closes while spend of it is in quarantine stands still, and operators are told", async () => {
    const before = await wallet();
    await sql()`
      insert into quarantined_spend (merchant_id, card_id, provider_transaction_id, reason, payload)
      values (${shop.merchant.id}, ${card.id}, 'of a new kind', 'Its fields kind are not as we know them.', '{"fields": ["kind"]}')`;
    await tell("shut");
    await until(async () => (await operatorAlerts(card.id)).length > 0);
    await syncCard(await now());
    expect((await now()).status).toBe("ACTIVE");
    expect(await wallet()).toBe(before);
    expect(await operatorAlerts(card.id)).toEqual([{ type: "card.closed_by_issuer" }]);
  });

  test("an authorization that expires there without a word is given back here, also to the wallet of a terminated card", async () => {
    await simulateSpend(shop.ctx, card.id, spendOf({ amount: dollars(5) }));
    const ended = await aCard(shop, { balance: 20 });
    await simulateSpend(shop.ctx, ended.id, spendOf({ amount: dollars(6) }));
    const { isProcessing } = await changeCard(shop.ctx, ended.id, "terminate");
    if (isProcessing) await until(async () => (await readTestCard(shop, ended.id)).status === "TERMINATED");
    const before = await wallet();
    for (const each of [card, ended]) {
      card = each;
      await tell("expire");
    }
    await sql()`update card_transactions set occurred_at = occurred_at - interval '9 days' where merchant_id = ${shop.merchant.id}`;
    await releaseExpiredAuthorizations(systemContext("test"));
    await until(async () => (await wallet()) - before === 600n * 1_500n);
    expect((await compareCards(systemContext("test"), shop.merchant.id)).differences).toEqual([]);
    await expectInvariantsToHold();
  });
});

test("an operator credits or dismisses a difference, once, and the books stay sound", async () => {
  for (const [resolution, gain] of [
    ["credit", 1_500_000n],
    ["dismiss", 0n],
  ] as const) {
    card = await aCard(shop, { balance: 20 });
    const { terminate } = issuer();
    const lying = vi
      .spyOn(issuer(), "terminate")
      .mockImplementationOnce(async (request) => ({ ...(await terminate(request)), taken: dollars(10) }) as OperationOutcome);
    await changeCard(shop.ctx, card.id, "terminate");
    lying.mockRestore();
    const [item] = await openItems();
    if (!item) throw new Error("no item");
    expect((await listSuspense(anOperator)).filter(({ id }) => id === item.id)).toMatchObject([
      { kind: "kept_by_issuer", amount: dollars(10) },
    ]);
    const before = await wallet();
    const done = await Promise.all(times(4, () => resolveItem(anOperator, item.id, resolution, "The issuer wrote to us.")));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect((await wallet()) - before).toBe(gain);
    expect(await suspended()).toBe(0n);
    await expectInvariantsToHold();
  }
});
