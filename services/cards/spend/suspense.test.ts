import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db, sql } from "#db/client.ts";
import { dollars, type Money, money } from "#lib/money.ts";
import type { OperationOutcome } from "#providers/issuer.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { lockWaiters } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { accountBalance } from "../../checkout/checkout.fixture.ts";
import { cardAccount, mustPost, SETTLEMENT_ISSUER } from "../../ledger/index.ts";
import { anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { listSuspense } from "../../suspense/index.ts";
import {
  aCard,
  aCardMerchant,
  isQuiet,
  issuerOf,
  letTimePass,
  openItemsOf,
  operationRow,
  operatorAlertsAbout,
  orderFault,
  readTestCard,
  settled,
  spendOf,
  spendRow,
  type TestCard,
} from "../cards.fixture.ts";
import { changeCard } from "../operations/freeze-and-terminate.ts";
import { unloadCard } from "../operations/fund-and-unload.ts";
import { settleOperation } from "../operations/settle.ts";
import { minus, UNLOAD_RATE, unloadWorth } from "../prices/prices.fixture.ts";
import { passOnBalance } from "../sync/pass-on-balance.ts";
import { simulateSpend } from "../sync/simulate-spend.ts";
import { syncCard } from "../sync/sync-cards.ts";
import { expectBooksToAgree, koboIn } from "./books.fixture.ts";
import { recordTransaction } from "./record-transaction.ts";
import { resolveItem } from "./resolve-item.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;
let card: TestCard;

const now = () => readTestCard(shop, card.id);
const wallet = () => koboIn(shop);
const suspended = () => accountBalance(shop.merchant.id, "suspense:issuer");
const openItems = () => openItemsOf(shop);
const refund = (amount: number) => simulateSpend(shop.ctx, card.id, spendOf({ type: "REFUND", amount: dollars(amount) }));

/** Terminates the card. The issuer closes it, runs `meanwhile`, and says that it returned `taken`. */
async function terminateReturning(taken: Money, meanwhile?: () => Promise<unknown>): Promise<void> {
  const issuer = issuerOf(card);
  const { terminate } = issuer;
  const lie = vi.spyOn(issuer, "terminate").mockImplementationOnce(async (request) => {
    const answer = await terminate(request);
    await meanwhile?.();
    return { ...answer, taken } as OperationOutcome;
  });
  await changeCard(shop.ctx, card.id, "terminate");
  lie.mockRestore();
}

beforeEach(async () => {
  shop = await aCardMerchant();
  card = await aCard(shop, { balance: 20 });
});

test("an unload that took too much, as its issuer says, credits nothing until the issuer corrects itself", async () => {
  await orderFault("sandbox", "unload", "error_before", card);
  const before = await wallet();
  const { id } = await unloadCard(shop.ctx, card.id, { amount: dollars(5) });
  const settle = async (taken: Money) => {
    const outcome: OperationOutcome = { status: "completed", providerReference: "theirs", issued: null, taken };
    await settleOperation(await operationRow(shop, id), outcome, { countsAsAttempt: true });
  };
  await settle(dollars(2_000));
  expect(await operationRow(shop, id)).toMatchObject({ status: "processing", walletAmount: unloadWorth(5).minor });
  expect(await wallet()).toBe(before);
  expect((await now()).blockedAt).not.toBeNull();
  await expectInvariantsToHold();
  await settle(dollars(5));
  expect(await wallet()).toBe(before + unloadWorth(5).minor);
  await expectInvariantsToHold();
});

test("a lost unload that took nothing, as its issuer says, stays failed and blocks no card", async () => {
  await orderFault("sandbox", "unload", "hang_before", card);
  const { id } = await unloadCard(shop.ctx, card.id, { amount: dollars(5) });
  await letTimePass({ merchantId: shop.merchant.id, id });
  expect((await settled({ merchantId: shop.merchant.id, id })).status).toBe("failed");
  const before = await wallet();
  const nothing: OperationOutcome = { status: "completed", providerReference: "theirs", issued: null, taken: dollars(0) };
  await settleOperation(await operationRow(shop, id), nothing, { countsAsAttempt: true });
  expect((await operationRow(shop, id)).status).toBe("failed");
  expect((await now()).blockedAt).toBeNull();
  expect((await operationRow(shop, id)).recheckAt).toBeNull();
  expect(await wallet()).toBe(before);
  await expectBooksToAgree(shop);
});

describe("at the end of a card", () => {
  test("if the issuer returns more than the card had, the wallet gets the card's balance, and the rest goes to suspense", async () => {
    const before = await wallet();
    await terminateReturning(dollars(2_000));
    expect((await wallet()) - before).toBe(unloadWorth(20).minor);
    const excess = dollars(2_000 - 20).minor;
    expect(await openItems()).toMatchObject([{ kind: "returned_by_issuer", open: excess }]);
    expect(await suspended()).toBe(excess);
    expect(await now()).toMatchObject({ status: "TERMINATED", balance: dollars(0) });
    await expectInvariantsToHold();
  });

  test("if the issuer returns less than the balance, the wallet gets that amount, suspense the rest, and a later refund is passed on", async () => {
    const before = await wallet();
    await terminateReturning(dollars(19.99));
    expect((await wallet()) - before).toBe(unloadWorth(19.99).minor);
    const [item] = await openItems();
    expect(item).toMatchObject({ kind: "kept_by_issuer", open: 1n });
    expect(await operatorAlertsAbout(item?.id ?? "")).toEqual(["suspense.opened"]);
    await refund(5);
    expect((await wallet()) - before).toBe(unloadWorth(24.99).minor);
    expect(await suspended()).toBe(1n);
    await expectInvariantsToHold();
  });

  test("if the issuer claims a debt of a card that had money, the wallet pays nothing", async () => {
    const before = await wallet();
    await terminateReturning(minus(dollars(0), dollars(2_000)));
    expect(await wallet()).toBe(before);
    expect((await openItems()).toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toMatchObject([
      { kind: "kept_by_issuer", open: dollars(20).minor },
      { kind: "returned_by_issuer", open: -dollars(2_000).minor },
    ]);
    await expectInvariantsToHold();
  });

  test("spend before the end that the issuer lists after it explains the difference, and leaves nothing in suspense", async () => {
    const list = (type: "CLEARING" | "REFUND", transactionReference: string, amount: number) =>
      recordTransaction(card, spendRow({ transactionReference, type, amount: dollars(amount) }));
    // A shop took $8 before the end: the issuer returns $12, and lists the $8 later.
    const before = await wallet();
    await terminateReturning(dollars(20 - 8));
    expect((await wallet()) - before).toBe(unloadWorth(12).minor);
    await list("CLEARING", "late-clearing", 8);
    await syncCard(await now());
    expect((await wallet()) - before).toBe(unloadWorth(12).minor);
    expect(await openItems()).toEqual([]);
    expect(await suspended()).toBe(0n);
    // A shop refunded $3 before the end: the issuer returns $23, and lists the $3 later.
    card = await aCard(shop, { balance: 20 });
    const second = await wallet();
    await terminateReturning(dollars(20 + 3));
    expect((await wallet()) - second).toBe(unloadWorth(20).minor);
    await list("REFUND", "late-refund", 3);
    await syncCard(await now());
    expect((await wallet()) - second).toBe(unloadWorth(20 + 3).minor);
    expect(await openItems()).toEqual([]);
    await expectInvariantsToHold();
  });

  test("whatever the issuer returns and lists, in any order, the wallet gains no more than the books explain", async () => {
    const event = fc.record({
      type: fc.constantFrom("REFUND" as const, "CLEARING" as const, "FEE" as const, "AUTHORIZATION" as const),
      cents: fc.integer({ min: 1, max: 900 }),
    });
    const story = fc.record({
      before: fc.array(event, { maxLength: 3 }),
      returned: fc.integer({ min: -2_000, max: 6_000 }),
      after: fc.array(event, { maxLength: 4 }),
    });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(story, async ({ before, returned, after }) => {
        shop = await aCardMerchant();
        card = await aCard(shop, { balance: 20 });
        const start = await wallet();
        const list = ({ type, cents }: (typeof before)[number]) =>
          recordTransaction(card, spendRow({ transactionReference: `story-${n++}`, type, amount: money(BigInt(cents), "USD") }));
        for (const each of before) await list(each);
        const { balance } = await now();
        await terminateReturning(money(BigInt(returned), "USD"));
        const worth = balance.minor > 0n ? balance.minor * UNLOAD_RATE : 0n;
        expect((await wallet()) - start <= worth).toBe(true);
        for (const each of after) {
          await list(each);
          await syncCard(await now());
        }
        const refunds = after.reduce((sum, { type, cents }) => sum + (type === "REFUND" ? BigInt(cents) : 0n), 0n);
        expect((await wallet()) - start <= worth + refunds * UNLOAD_RATE).toBe(true);
        expect((await now()).balance).toEqual(dollars(0));
        await expectInvariantsToHold();
      }),
      { numRuns: 12 },
    );
  }, 400_000);
});

test("spend that moved nothing explains no difference", async () => {
  const before = await wallet();
  await terminateReturning(dollars(0), () =>
    recordTransaction(card, spendRow({ transactionReference: "of nothing", type: "REVERSAL", amount: dollars(20) })),
  );
  expect((await now()).status).toBe("TERMINATED");
  expect(await wallet()).toBe(before);
  expect(await openItems()).toMatchObject([{ kind: "kept_by_issuer", open: dollars(20).minor }]);
  await expectInvariantsToHold();
});

test("a cent that appears on a terminated card without spend goes to suspense, and a refund at the same time to the wallet", async () => {
  await changeCard(shop.ctx, card.id, "terminate");
  await until(async () => isQuiet(await now()));
  const before = await wallet();
  const cent = { key: "test:cent", debit: SETTLEMENT_ISSUER, credit: cardAccount(card.id), amount: dollars(0.01) };
  await mustPost(db(), shop.merchant.id, [{ kind: "post", ...cent }]);
  await refund(5);
  expect((await wallet()) - before).toBe(unloadWorth(5).minor);
  expect(await openItems()).toMatchObject([{ kind: "kept_by_issuer", open: 1n }]);
  expect((await now()).balance).toEqual(dollars(0));
  // Reversing the posting closes the item.
  await mustPost(db(), shop.merchant.id, [{ kind: "reverse", key: "test:cent:back", target: "test:cent" }]);
  await syncCard(await now());
  expect(await openItems()).toEqual([]);
  await expectInvariantsToHold();
});

test.each([
  ["credit", unloadWorth(20 - 10).minor],
  ["dismiss", 0n],
] as const)("an operator who resolves a difference with %s four times at once resolves it once", async (resolution, credited) => {
  await terminateReturning(dollars(10));
  const [item] = await openItems();
  if (!item) throw new Error("no item");
  expect((await listSuspense(anOperator)).filter(({ id }) => id === item.id)).toMatchObject([
    { kind: "kept_by_issuer", amount: dollars(20 - 10) },
  ]);
  const before = await wallet();
  const done = await Promise.all(times(4, () => decidedByTwo((by) => resolveItem(by, item.id, resolution, "The issuer wrote to us."))));
  expect(done.filter(Boolean)).toHaveLength(1);
  expect((await wallet()) - before).toBe(credited);
  expect(await suspended()).toBe(0n);
  await expectInvariantsToHold();
});

test("a debt that an issuer claims of an ended card cannot be credited, and is dismissed without the wallet", async () => {
  await terminateReturning(minus(dollars(0), dollars(5)));
  const before = await wallet();
  const [debt] = (await openItems()).filter(({ open }) => open < 0n);
  expect(debt).toMatchObject({ kind: "returned_by_issuer", open: -dollars(5).minor });
  expect(await decidedByTwo((by) => resolveItem(by, debt?.id ?? "", "credit", "By mistake."))).toBe(false);
  expect(await openItems()).toContainEqual(debt);
  expect(await wallet()).toBe(before);
  expect(await decidedByTwo((by) => resolveItem(by, debt?.id ?? "", "dismiss", "The issuer wrote to us."))).toBe(true);
  expect(await wallet()).toBe(before);
  await expectInvariantsToHold();
});

test("an operator and late spend that settle one difference at once settle it once", async () => {
  await terminateReturning(dollars(20 - 5));
  expect((await now()).status).toBe("TERMINATED");
  const before = await wallet();
  const [item] = await openItems();
  await sql()`update cards set next_sync_at = now() + interval '1 day' where id = ${card.id}`;
  await recordTransaction(await now(), spendRow({ transactionReference: "late", type: "CLEARING", amount: dollars(5) }));
  const lockWaits = (count: number) => until(async () => (await lockWaiters()) >= count);
  let racing: Promise<unknown[]> | undefined;
  await sql().begin(async (tx) => {
    await tx`select 1 from ledger_accounts where merchant_id = ${shop.merchant.id} and account = 'suspense:issuer' for update`;
    // The spend has the card's lock first. An operator who had it would be refused at once, because the clearing is on the card.
    const passing = passOnBalance(card);
    await lockWaits(1);
    racing = Promise.all([passing, decidedByTwo((by) => resolveItem(by, item?.id ?? "", "credit", "By guess."))]);
    await lockWaits(2);
  });
  expect((await racing)?.[1]).toBe(false);
  expect(await openItems()).toEqual([]);
  expect((await wallet()) - before).toBe(0n);
  await expectInvariantsToHold();
});
