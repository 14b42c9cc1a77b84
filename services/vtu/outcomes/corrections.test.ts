import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import type { Pin, PurchaseOutcome } from "#providers/aggregator.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { eventTypesOf } from "../../checkout/checkout.fixture.ts";
import { mustPost, SETTLEMENT_BANK, walletCredit } from "../../ledger/index.ts";
import { anOperator } from "../../merchants/merchant.fixture.ts";
import { settleAnswer } from "../buying/settle-answers.ts";
import { type Final, finalOutcome } from "../buying/transition.ts";
import { openSecrets } from "../delivery.ts";
import { listExceptions } from "../index.ts";
import {
  AIRTIME_PRICE,
  aClaimedPurchase,
  aMeter,
  aVtuMerchant,
  currentRow,
  DELIVERED,
  EMPTY_DELIVERY,
  FAILED,
  productNamed,
  settleAsRead,
  walletOf,
} from "../vtu.fixture.ts";

withDatabase();
withApp();

/** Kobo. */
const PIN_PRICE = naira(10).minor;
const threePins = { service: "exam", recipient: null, quantity: 3, unitPrice: PIN_PRICE, amount: 3n * PIN_PRICE } as const;

const pins = (count: number): Pin[] => Array.from({ length: count }, (_, n) => ({ serial: `S${n}`, pin: `${n}` }));
const deliveredPins = (count: number): Final => ({ status: "delivered", delivery: { ...EMPTY_DELIVERY, pins: pins(count) } });

describe("a final purchase", () => {
  test("that is delivered after its refund is charged again, and the next credit pays what the wallet lacks", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await aClaimedPurchase(shop);
    await settleAnswer(purchase, FAILED);
    const other = await aClaimedPurchase(shop, { amount: naira(300).minor });
    await settleAnswer(other, DELIVERED);
    expect(await settleAsRead(purchase, DELIVERED)).toMatchObject({ status: "success", charged: AIRTIME_PRICE.minor, corrections: 1 });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    expect((await listExceptions(anOperator)).filter(({ purchaseId }) => purchaseId === purchase.id)).toMatchObject([
      { kind: "late_success", amount: AIRTIME_PRICE },
    ]);
    await mustPost(db(), shop.merchant.id, [walletCredit({ key: "test:credit", from: SETTLEMENT_BANK, amount: naira(1_000), meta: {} })]);
    const spent = naira(300).minor + AIRTIME_PRICE.minor;
    expect((await walletOf(shop.merchant.id)).balance).toBe(naira(500).minor + naira(1_000).minor - spent);
    expect(await eventTypesOf(shop)).toEqual(["vtu.failed", "vtu.success", "vtu.success"]);
    await expectInvariantsToHold();
  });

  test("that is delivered after its refund while the wallet is empty is owed as a whole, and its posting has its cause", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await aClaimedPurchase(shop);
    await settleAnswer(purchase, FAILED);
    await settleAnswer(await aClaimedPurchase(shop), DELIVERED);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    expect(await settleAsRead(purchase, DELIVERED)).toMatchObject({ status: "success", corrections: 1 });
    const [owed] =
      await sql()`select available from ledger_accounts where merchant_id = ${shop.merchant.id} and account = 'receivable:merchant'`;
    expect(owed?.available).toBe(AIRTIME_PRICE.minor);
    await expectInvariantsToHold();
  });

  test("is changed by the latest read alone: a late answer to the order or a superseded read changes nothing", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop);
    await sql()`update purchases set fencing_token = 1 where id = ${purchase.id}`;
    await settleAsRead(purchase, FAILED, 1);
    expect((await settleAnswer(purchase, DELIVERED)).status).toBe("failed");
    expect((await settleAsRead(purchase, DELIVERED, 0)).status).toBe("failed");
    expect((await settleAsRead(purchase, DELIVERED, 1)).status).toBe("success");
    await expectInvariantsToHold();
  });

  test("moves no money and keeps every delivered pin when its list of pins becomes shorter", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop, threePins);
    await settleAnswer(purchase, deliveredPins(2));
    const fewer = await settleAsRead(purchase, deliveredPins(1));
    expect(fewer).toMatchObject({ status: "success", charged: 2n * PIN_PRICE, corrections: 0 });
    expect(openSecrets(fewer).pins).toHaveLength(2);
    const late = await settleAsRead(purchase, deliveredPins(3));
    expect(late).toMatchObject({ status: "success", charged: 3n * PIN_PRICE, corrections: 1 });
    expect(openSecrets(late).pins).toHaveLength(3);
    const gone = await settleAsRead(purchase, FAILED);
    expect(gone).toMatchObject({ status: "reversed", charged: 0n });
    expect(openSecrets(gone).pins).toHaveLength(3);
    expect(finalOutcome(purchase, { status: "delivered", delivery: EMPTY_DELIVERY })).toBeUndefined();
    await expectInvariantsToHold();
  });

  test("keeps a second token that is read later, and moves no money", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop, { service: "electricity", recipient: aMeter(), variant: "Prepaid" });
    const [first, second] = ["1".repeat(20), "2".repeat(20)];
    await settleAnswer(purchase, { status: "delivered", delivery: { ...EMPTY_DELIVERY, tokens: [first] } });
    const now = await settleAsRead(purchase, {
      status: "delivered",
      delivery: { tokens: [first, second], units: "2 kWh", pins: [] },
    });
    expect(openSecrets(now).tokens).toEqual([first, second]);
    expect(now).toMatchObject({ units: "2 kWh", corrections: 0, charged: AIRTIME_PRICE.minor });
    expect(await eventTypesOf(shop)).toEqual(["vtu.success"]);
  });

  test("is corrected four times and no more, although its aggregator changes the outcome ten times", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop);
    await settleAnswer(purchase, DELIVERED);
    for (let n = 0; n < 10; n++) await settleAsRead(purchase, n % 2 === 0 ? FAILED : DELIVERED);
    expect((await currentRow(purchase)).corrections).toBe(4);
    const seen = (await listExceptions(anOperator)).filter(({ purchaseId }) => purchaseId === purchase.id);
    expect(seen.map(({ kind }) => kind)).toEqual(["reversal", "late_success", "reversal", "late_success", "ignored"]);
    await expectInvariantsToHold();
  });
});

interface Reply {
  outcome: PurchaseOutcome;
  /** Whether the outcome was read. Otherwise it is the answer to the order. */
  isRead: boolean;
}

const aReply: fc.Arbitrary<Reply> = fc.record({
  isRead: fc.boolean(),
  outcome: fc.oneof(
    fc.constant<PurchaseOutcome>({ status: "pending" }),
    fc.constant<PurchaseOutcome>({ status: "unknown" }),
    fc.constant<PurchaseOutcome>(FAILED),
    fc.integer({ min: 0, max: 5 }).map(deliveredPins),
  ),
});

/** Returns the kobo that three pins cost after these replies, in this order: delivered pins count until a read says that the order failed. */
function expectedCharge(replies: Reply[]): bigint {
  let state: { final: boolean; charged: bigint; corrections: number } = { final: false, charged: 0n, corrections: 0 };
  for (const { outcome, isRead } of replies) {
    if (outcome.status !== "failed" && outcome.status !== "delivered") continue;
    const count = outcome.status === "delivered" ? Math.min(outcome.delivery.pins.length, 3) : 0;
    if (outcome.status === "delivered" && count === 0) continue;
    const charged = BigInt(count) * PIN_PRICE;
    if (!state.final) state = { final: true, charged, corrections: 0 };
    else if (isRead && state.corrections < 4 && (charged > state.charged || (outcome.status === "failed" && state.charged > 0n)))
      state = { final: true, charged, corrections: state.corrections + 1 };
  }
  return state.charged;
}

test("for any sequence of replies about pins, the wallet has paid for exactly the pins that count after the last one", async () => {
  const shop = await aVtuMerchant();
  const exam = await productNamed("sandbox", "exam", "neco-result");
  let before = (await walletOf(shop.merchant.id)).balance;
  await fc.assert(
    fc.asyncProperty(fc.array(aReply, { minLength: 1, maxLength: 6 }), async (replies) => {
      const purchase = await aClaimedPurchase(shop, { ...threePins, productId: exam.id });
      for (const { outcome, isRead } of replies) {
        const final = finalOutcome(purchase, outcome);
        if (final) await (isRead ? settleAsRead(purchase, final) : settleAnswer(purchase, final));
      }
      const { status, charged } = await currentRow(purchase);
      expect(charged).toBe(expectedCharge(replies));
      const { balance, held } = await walletOf(shop.merchant.id);
      expect({ balance, held }).toEqual({ balance: before - charged, held: status === "processing" ? threePins.amount : 0n });
      if (status === "processing") await settleAnswer(purchase, FAILED);
      before = (await walletOf(shop.merchant.id)).balance;
    }),
    { numRuns: 60 },
  );
  await expectInvariantsToHold();
});
