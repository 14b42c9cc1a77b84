import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { money, naira } from "#lib/money.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import type { Delivery, PurchaseOutcome } from "#providers/aggregator.ts";
import { withCleanWords } from "#providers/clean-words.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { addToWallet } from "../cards/cards.fixture.ts";
import { eventTypesOf } from "../checkout/checkout.fixture.ts";
import { systemContext } from "../context.ts";
import { claimKey, forgetClaim } from "../idempotency/index.ts";
import { creditWallet, mustPost, SETTLEMENT_BANK, SETTLEMENT_VTU, WALLET } from "../ledger/index.ts";
import { anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { aggregators } from "../providers/index.ts";
import { buyProduct } from "./buy-product.ts";
import { claimPurchase, type Quoted } from "./claim-purchases.ts";
import { openSecrets } from "./delivery.ts";
import { listExceptions, takeHint } from "./index.ts";
import type { OpenPurchase, PurchaseRow } from "./purchase.ts";
import { findPurchase } from "./read-purchases.ts";
import { resolveDuePurchases, resolveIfDue } from "./resolve-purchases.ts";
import { settleAnswer } from "./settle-answers.ts";
import { settleReading } from "./settle-reading.ts";
import { type Final, finalWord } from "./transition.ts";
import { airtime, aMeter, aPhone, aVtuMerchant, letPurchaseAge, orderVtuFault, productNamed, walletOf } from "./vtu.fixture.ts";

withDatabase();
withApp();

const NOTHING: Delivery = { tokens: [], units: null, pins: [] };
const DELIVERED: Final = { status: "delivered", delivery: NOTHING };
const FAILED: Final = { status: "failed", reason: "The provider took it back." };

let product: { id: number; code: string };
beforeAll(async () => {
  await aVtuMerchant();
  product = await productNamed("sandbox", "airtime", "mtn-vtu");
});

let made = 0;

/** A purchase that is claimed, and about which nobody was asked. */
async function claimed(shop: TestMerchant, changes: Partial<Quoted> = {}): Promise<PurchaseRow> {
  const amount = changes.amount ?? 50_000n;
  const purchase = await claimPurchase({
    merchantId: shop.merchant.id,
    id: `vtu_TEST${String(made++).padStart(22, "0")}`,
    service: "airtime",
    provider: "sandbox",
    productId: product.id,
    productCode: product.code,
    productName: "MTN airtime (VTU)",
    recipient: aPhone(),
    variant: "VTU",
    customer: {},
    quantity: 1,
    unitPrice: amount,
    amount,
    isMeant: true,
    ...changes,
  });
  if (!purchase) throw new Error("claimed before");
  return purchase;
}

/** By its own answer, or by what was read in a turn. */
async function settlePurchase(purchase: PurchaseRow, { outcome, turn }: { outcome: Final; turn?: number }): Promise<PurchaseRow> {
  if (turn === undefined) return settleAnswer(purchase, outcome);
  await settleReading(purchase, outcome, { turn });
  return again(purchase);
}

const again = async ({ merchantId, id }: Pick<PurchaseRow, "merchantId" | "id">) => {
  const row = await findPurchase(merchantId, id);
  if (!row) throw new Error("gone");
  return row;
};

describe("a wallet", () => {
  test("that covers 60 of 100 purchases at once pays for exactly 60, and the rest are refused", async () => {
    const shop = await aVtuMerchant({ wallet: 60 * 500 });
    const outcomes = await Promise.allSettled(times(100, () => buyProduct(shop.ctx, airtime({ amount: naira(500) }))));
    const bought = outcomes.filter(({ status }) => status === "fulfilled");
    const codes = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(bought).toHaveLength(60);
    expect(new Set(codes)).toEqual(new Set(["INSUFFICIENT_BALANCE"]));
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    const [orders] = await sql()<{ times: bigint }[]>`
      select count(*) as times from sandbox.vtu_orders o join purchases p on p.id = o.reference where p.merchant_id = ${shop.merchant.id}`;
    expect(orders?.times).toBe(60n);
    await expectInvariantsToHold();
  });

  test("pays for the same purchase once, however often it is claimed at once", async () => {
    const shop = await aVtuMerchant({ wallet: 10_000 });
    const one = await claimed(shop);
    const rest = await Promise.all(times(5, () => claimPurchase({ ...one, isMeant: true })));
    expect(rest.filter((claim) => claim !== undefined)).toEqual([]);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 1_000_000n, held: 50_000n });
    await settlePurchase(one, { outcome: FAILED });
  });
});

describe("a process that stalls", () => {
  const heardOf = (id: string) => sql()`select 1 from sandbox.vtu_orders where reference = ${id}`;

  test("while it claims a purchase never asks for it, and the money comes back", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const waited = startStopwatch();
    let buying: Promise<OpenPurchase> | undefined;
    await sql().begin(async (tx) => {
      await tx`select 1 from ledger_accounts where merchant_id = ${shop.merchant.id} and account = 'settlement:vtu' for update`;
      buying = buyProduct(shop.ctx, airtime());
      await until(async () => waited() > 5_500);
    });
    const purchase = await buying;
    if (!purchase) throw new Error("nothing was bought");
    expect(purchase.status).toBe("processing");
    await letPurchaseAge(purchase);
    await until(async () => (await resolveDuePurchases(systemContext("test"))) === 0 && (await again(purchase)).status === "failed");
    expect(await heardOf(purchase.id)).toHaveLength(0);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 50_000n, held: 0n });
    await expectInvariantsToHold();
  });

  test("between its last check and its call, and buys what was given up: the wallet pays again within minutes, once", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await claimed(shop);
    await letPurchaseAge(purchase);
    await resolveDuePurchases(systemContext("test"));
    expect((await again(purchase)).status).toBe("failed");
    const { id: reference, service, createdAt, productCode, recipient, variant, quantity } = purchase;
    const order = { reference, service, createdAt, productCode, recipient, variant, quantity, customerPhone: null };
    expect((await aggregators.named("sandbox")?.buy({ ...order, amount: naira(500) }))?.status).toBe("delivered");
    const { nextAttemptAt } = await again(purchase);
    expect((nextAttemptAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThan(2 * 60_000);
    await sql()`update purchases set next_attempt_at = now() where id = ${purchase.id}`;
    await Promise.all(times(5, () => resolveDuePurchases(systemContext("test"))));
    expect(await again(purchase)).toMatchObject({ status: "success", charged: 50_000n, corrections: 1 });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    await expectInvariantsToHold();
  });

  test("and whose answer comes after its purchase was given up makes it due at once", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await claimed(shop);
    await letPurchaseAge(purchase);
    await resolveDuePurchases(systemContext("test"));
    await settleAnswer(purchase, DELIVERED);
    const { status, nextAttemptAt } = await again(purchase);
    expect(status).toBe("failed");
    expect(nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});

describe("the same thing twice within 30 seconds", () => {
  test("is refused, of five at once all but one, and allowed where it is meant, failed or old", async () => {
    const shop = await aVtuMerchant();
    const wish = airtime({ phone: aPhone() });
    const outcomes = await Promise.allSettled(times(5, () => buyProduct(shop.ctx, wish)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "DUPLICATE_PURCHASE" });
    await buyProduct(shop.ctx, { ...wish, allowDuplicate: true });
    await buyProduct({ ...shop.ctx, resourceId: "vtu_KEYED1" }, wish);
    await buyProduct(shop.ctx, { ...wish, amount: naira(501) } as typeof wish);
    await expect(buyProduct(shop.ctx, wish)).rejects.toMatchObject({ code: "DUPLICATE_PURCHASE" });
    await sql()`update purchases set created_at = created_at - interval '30 seconds' where merchant_id = ${shop.merchant.id}`;
    await buyProduct(shop.ctx, wish);
    const failing = airtime({ phone: aPhone("0000") });
    await buyProduct(shop.ctx, failing);
    await buyProduct(shop.ctx, failing);
    const other = await aVtuMerchant();
    await buyProduct(other.ctx, wish);
    await expectInvariantsToHold();
  });

  test("is judged across processes: whoever comes second sees the first", async () => {
    const shop = await aVtuMerchant();
    const recipient = aPhone();
    // Batches of one lane wait for each other, so another process is played by the database alone.
    await sql()
      .begin(async (tx) => {
        await tx`select from ledger_accounts where merchant_id = ${shop.merchant.id} and account = ${SETTLEMENT_VTU} for update`;
        const second = claimed(shop, { recipient, isMeant: false });
        second.catch(() => undefined);
        await tx`
        insert into purchases (merchant_id, id, service, provider, product_id, product_code, product_name, recipient, variant, customer, quantity, unit_price, amount, next_attempt_at)
        values (${shop.merchant.id}, 'vtu_OTHER', 'airtime', 'sandbox', ${product.id}, 'x', 'x', ${recipient}, 'VTU', '{}', 1, 50000, 50000, now())`;
        return { second };
      })
      .then(({ second }) => expect(second).rejects.toMatchObject({ code: "DUPLICATE_PURCHASE" }));
    await sql()`delete from purchases where id = 'vtu_OTHER'`;
  });
});

describe("a purchase", () => {
  test("is settled once by twenty words at once, and told of once", async () => {
    const shop = await aVtuMerchant();
    const purchase = await claimed(shop);
    const answers = await Promise.all(times(20, (n) => settlePurchase(purchase, { outcome: n % 2 === 0 ? DELIVERED : FAILED })));
    const { status, corrections } = await again(purchase);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
    expect(corrections).toBe(0);
    expect(await eventTypesOf(shop)).toEqual([status === "success" ? "vtu.success" : "vtu.failed"]);
    expect((await walletOf(shop.merchant.id)).held).toBe(0n);
    await expectInvariantsToHold();
  });

  test("that nobody was asked for is not taken for lost before the aggregator would know of it, and then is refunded once", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await claimed(shop);
    await sql()`update purchases set next_attempt_at = now() where id = ${purchase.id}`;
    await resolveIfDue(purchase);
    expect((await again(purchase)).status).toBe("processing");
    await letPurchaseAge(purchase);
    await Promise.all(times(5, () => resolveDuePurchases(systemContext("test"))));
    expect(await again(purchase)).toMatchObject({ status: "failed", charged: 0n, failureReason: "The provider never received it." });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 50_000n, held: 0n });
    expect(await eventTypesOf(shop)).toEqual(["vtu.failed"]);
  });

  test.each(["hang_after", "error_after", "nonsense", "unknown_word"] as const)(
    "that was delivered with %s is charged once and bought once",
    async (fault) => {
      const shop = await aVtuMerchant();
      const phone = aPhone();
      await orderVtuFault("sandbox", "buy", fault, phone);
      const purchase = await buyProduct(shop.ctx, airtime({ phone }));
      expect(purchase.status).toBe("processing");
      await letPurchaseAge(purchase);
      await Promise.all([
        resolveIfDue(purchase),
        resolveIfDue(purchase),
        takeHint(systemContext("test"), "sandbox", { reference: purchase.id }),
      ]);
      expect(await again(purchase)).toMatchObject({ status: "success", charged: 50_000n });
      const orders = await sql()`select from sandbox.vtu_orders where recipient = ${phone}`;
      expect(orders).toHaveLength(1);
      await expectInvariantsToHold();
    },
  );

  test("is not decided by an aggregator that does not answer, and is asked about again later and later", async () => {
    const shop = await aVtuMerchant();
    const phone = aPhone("1111");
    const purchase = await claimed(shop, { recipient: phone });
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      await sql()`update purchases set next_attempt_at = now() - interval '1 ms', created_at = now() where id = ${purchase.id}`;
      await resolveIfDue(purchase);
      const [row] = await sql()<{ wait: number }[]>`
        select extract(epoch from next_attempt_at - now())::float8 as wait from purchases where id = ${purchase.id}`;
      waits.push(Math.round((row?.wait ?? 0) / 10) * 10);
    }
    expect(waits).toEqual([60, 120, 300, 600, 1_800, 3_600, 3_600, 3_600]);
    expect(await again(purchase)).toMatchObject({ status: "processing", attempts: 8, turn: 8 });
    await settlePurchase(purchase, { outcome: FAILED });
  });
});

describe("a try that slept for so long that another has taken over its Idempotency-Key", () => {
  test("buys nothing, whatever the other was told; the one that holds the key does", async () => {
    const shop = await aVtuMerchant();
    const claim = { merchantId: shop.merchant.id, scope: "POST /x", key: "k", bodyHash: "h" };
    const first = await claimKey(claim, () => "vtu_SLEEPY");
    if (first.status !== "run") throw new Error(first.status);
    await sql()`update idempotency_keys set locked_until = now() - interval '1 second' where key = 'k'`;
    const second = await claimKey(claim, () => "vtu_OTHER");
    if (second.status !== "run") throw new Error(second.status);
    expect(second.resourceId).toBe("vtu_SLEEPY");
    const wish = airtime();
    await expect(buyProduct({ ...shop.ctx, resourceId: "vtu_SLEEPY", lease: first.lease }, wish)).rejects.toMatchObject({
      code: "REQUEST_IN_PROGRESS",
      outcome: "unknown",
    });
    // Told that the price has changed, say: the key is given back, and the sleeper wakes up after that.
    await forgetClaim(second.lease);
    await expect(buyProduct({ ...shop.ctx, resourceId: "vtu_SLEEPY", lease: first.lease }, wish)).rejects.toMatchObject({
      code: "REQUEST_IN_PROGRESS",
    });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 100_000_000n, held: 0n });
    const third = await claimKey(claim, () => "vtu_THIRD");
    if (third.status !== "run") throw new Error(third.status);
    expect((await buyProduct({ ...shop.ctx, resourceId: third.resourceId, lease: third.lease }, wish)).id).toBe("vtu_THIRD");
  });
});

test("a try and the one that overtook it, in one batch: one of them is told to ask", async () => {
  const shop = await aVtuMerchant();
  const claim = { merchantId: shop.merchant.id, scope: "POST /y", key: "k", bodyHash: "h" };
  const first = await claimKey(claim, () => "vtu_BOTH");
  await sql()`update idempotency_keys set locked_until = now() - interval '1 second' where scope = 'POST /y'`;
  const second = await claimKey(claim, () => "vtu_OTHER");
  if (first.status !== "run" || second.status !== "run") throw new Error("not claimed");
  const lane = claimed(shop);
  const tries = await Promise.allSettled([first, second].map(({ lease }) => claimed(shop, { id: "vtu_BOTH", claim: lease })));
  expect(tries.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(tries[0]).toMatchObject({ reason: { code: "REQUEST_IN_PROGRESS" } });
  await lane;
});

test("a purchase whose event cannot be told is not settled, and a batch of them neither", async () => {
  const shop = await aVtuMerchant();
  const made = await Promise.all(times(3, () => claimed(shop)));
  await sql()`delete from event_counters where merchant_id = ${shop.merchant.id}`;
  const settled = await Promise.allSettled(made.map((purchase) => settlePurchase(purchase, { outcome: DELIVERED })));
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect((await again(made[0] as PurchaseRow)).status).toBe("processing");
  expect((await walletOf(shop.merchant.id)).held).toBe(150_000n);
  await sql()`insert into event_counters (merchant_id) values (${shop.merchant.id})`;
  for (const purchase of made) await settlePurchase(purchase, { outcome: DELIVERED });
});

test("whatever an aggregator's words are made of, the purchase is settled", async () => {
  const shop = await aVtuMerchant();
  const purchase = await claimed(shop);
  const { buy } = withCleanWords({ buy: async (): Promise<PurchaseOutcome> => ({ status: "failed", reason: "no\u0000 \ud800\n way" }) });
  const word = finalWord(purchase, await buy());
  if (!word) throw new Error("no word");
  expect(await settlePurchase(purchase, { outcome: word })).toMatchObject({ status: "failed", failureReason: "no\ufffd \ufffd  way" });
});

describe("what is final and told otherwise", () => {
  test("delivered after its refund: the wallet pays again, and what it lacks becomes a debt that the next credit pays", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await claimed(shop);
    await settlePurchase(purchase, { outcome: FAILED });
    const other = await claimed(shop, { amount: 30_000n });
    await settlePurchase(other, { outcome: DELIVERED });
    expect(await settlePurchase(purchase, { outcome: DELIVERED, turn: 0 })).toMatchObject({
      status: "success",
      charged: 50_000n,
      corrections: 1,
    });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    expect((await listExceptions(anOperator)).filter(({ purchaseId }) => purchaseId === purchase.id)).toMatchObject([
      { kind: "late_success", amount: 50_000n },
    ]);
    await db().transaction((tx) =>
      creditWallet(tx, shop.merchant.id, { key: "test:credit", from: SETTLEMENT_BANK, amount: naira(1_000), meta: {} }),
    );
    expect((await walletOf(shop.merchant.id)).balance).toBe(70_000n);
    expect(await eventTypesOf(shop)).toEqual(["vtu.failed", "vtu.success", "vtu.success"]);
    await expectInvariantsToHold();
  });

  test("changed its word only where it was read: an answer that comes late takes nothing back", async () => {
    const shop = await aVtuMerchant();
    const purchase = await claimed(shop);
    await sql()`update purchases set turn = 1 where id = ${purchase.id}`;
    await settlePurchase(purchase, { outcome: FAILED, turn: 1 });
    expect((await settlePurchase(purchase, { outcome: DELIVERED })).status).toBe("failed");
    // A superseded reading is as old.
    expect((await settlePurchase(purchase, { outcome: DELIVERED, turn: 0 })).status).toBe("failed");
    expect((await settlePurchase(purchase, { outcome: DELIVERED, turn: 1 })).status).toBe("success");
    await expectInvariantsToHold();
  });

  test("a hint that came while the purchase was being settled is looked at still", async () => {
    const shop = await aVtuMerchant();
    const purchase = await claimed(shop);
    await sql()`update purchases set turn = 1, next_attempt_at = now() + interval '1 minute' where id = ${purchase.id}`;
    await settlePurchase(purchase, { outcome: DELIVERED });
    const soon = (await again(purchase)).nextAttemptAt;
    expect(soon && soon.getTime() - Date.now()).toBeLessThan(61_000);
    const quiet = await claimed(shop);
    await settlePurchase(quiet, { outcome: DELIVERED });
    const later = (await again(quiet)).nextAttemptAt;
    expect(later && later.getTime() - Date.now()).toBeGreaterThan(23 * 3_600_000);
  });

  test("a list of pins that has become shorter moves nothing, and hides none of those that were delivered", async () => {
    const shop = await aVtuMerchant();
    const purchase = await claimed(shop, { service: "exam", recipient: null, quantity: 3, unitPrice: 1_000n, amount: 3_000n });
    const pins = (count: number) => Array.from({ length: count }, (_, n) => ({ serial: `S${n}`, pin: `${n}` }));
    await settlePurchase(purchase, { outcome: { status: "delivered", delivery: { ...NOTHING, pins: pins(2) } } });
    const fewer = await settlePurchase(purchase, { outcome: { status: "delivered", delivery: { ...NOTHING, pins: pins(1) } }, turn: 0 });
    expect(fewer).toMatchObject({ status: "success", charged: 2_000n, corrections: 0 });
    expect(openSecrets(fewer).pins).toHaveLength(2);
    const late = await settlePurchase(purchase, { outcome: { status: "delivered", delivery: { ...NOTHING, pins: pins(3) } }, turn: 0 });
    expect(late).toMatchObject({ status: "success", charged: 3_000n, corrections: 1 });
    expect(openSecrets(late).pins).toHaveLength(3);
    const gone = await settlePurchase(purchase, { outcome: FAILED, turn: 0 });
    expect(gone).toMatchObject({ status: "reversed", charged: 0n });
    expect(openSecrets(gone).pins).toHaveLength(3);
    expect(finalWord(purchase, { status: "delivered", delivery: NOTHING })).toBeUndefined();
    await expectInvariantsToHold();
  });

  test("a second token that comes later is kept, and moves no money", async () => {
    const shop = await aVtuMerchant();
    const purchase = await claimed(shop, { service: "electricity", recipient: aMeter(), variant: "Prepaid" });
    const [first, second] = ["1".repeat(20), "2".repeat(20)];
    await settlePurchase(purchase, { outcome: { status: "delivered", delivery: { ...NOTHING, tokens: [first] } } });
    const now = await settlePurchase(purchase, {
      outcome: { status: "delivered", delivery: { tokens: [first, second], units: "2 kWh", pins: [] } },
      turn: 0,
    });
    expect(openSecrets(now).tokens).toEqual([first, second]);
    expect(now).toMatchObject({ units: "2 kWh", corrections: 0, charged: 50_000n });
    expect(await eventTypesOf(shop)).toEqual(["vtu.success"]);
  });

  test("a hint that comes while a reading is under way is looked at still, after it has settled", async () => {
    const shop = await aVtuMerchant();
    const purchase = await claimed(shop);
    await sql()`update purchases set turn = 1, last_turn_at = now(), next_attempt_at = now() + interval '30 seconds' where id = ${purchase.id}`;
    await takeHint(systemContext("test"), "sandbox", { reference: purchase.id });
    await settlePurchase(purchase, { outcome: DELIVERED, turn: 1 });
    const { nextAttemptAt } = await again(purchase);
    expect(nextAttemptAt && nextAttemptAt.getTime() - Date.now()).toBeLessThan(12_000);
  });

  test("notices without end make nobody ask without end", async () => {
    const shop = await aVtuMerchant();
    const purchase = await buyProduct(shop.ctx, airtime());
    await Promise.all(times(20, () => takeHint(systemContext("test"), "sandbox", { reference: purchase.id })));
    // One that comes after that reading is not forgotten: it is read when it may be.
    await takeHint(systemContext("test"), "sandbox", { reference: purchase.id });
    const { turn, nextAttemptAt } = await again(purchase);
    expect(turn).toBe(1);
    expect(nextAttemptAt && nextAttemptAt.getTime() - Date.now()).toBeLessThan(12_000);
  });

  test("an aggregator that flaps for ever moves money four times and no more", async () => {
    const shop = await aVtuMerchant();
    const purchase = await claimed(shop);
    await settlePurchase(purchase, { outcome: DELIVERED });
    for (let n = 0; n < 10; n++) await settlePurchase(purchase, { outcome: n % 2 === 0 ? FAILED : DELIVERED, turn: 0 });
    expect((await again(purchase)).corrections).toBe(4);
    const seen = (await listExceptions(anOperator)).filter(({ purchaseId }) => purchaseId === purchase.id);
    expect(seen.map(({ kind }) => kind)).toEqual(["reversal", "late_success", "reversal", "late_success", "ignored"]);
    await expectInvariantsToHold();
  });
});

const outcomes: fc.Arbitrary<{ outcome: PurchaseOutcome; isReading: boolean }> = fc.record({
  isReading: fc.boolean(),
  outcome: fc.oneof(
    fc.constant<PurchaseOutcome>({ status: "pending" }),
    fc.constant<PurchaseOutcome>({ status: "unknown" }),
    fc.constant<PurchaseOutcome>(FAILED),
    fc.integer({ min: 0, max: 5 }).map(
      (pins): PurchaseOutcome => ({
        status: "delivered",
        delivery: { tokens: [], units: null, pins: Array.from({ length: pins }, (_, n) => ({ serial: `S${n}`, pin: `${n}` })) },
      }),
    ),
  ),
});

/** Kobo for three pins of ₦10, by all that was said in that order: pins that were delivered count until a clear failure was read. */
function worthOf(said: { outcome: PurchaseOutcome; isReading: boolean }[]): bigint {
  let state: { final: boolean; charged: bigint; corrections: number } = { final: false, charged: 0n, corrections: 0 };
  for (const { outcome, isReading } of said) {
    if (outcome.status !== "failed" && outcome.status !== "delivered") continue;
    const pins = outcome.status === "delivered" ? Math.min(outcome.delivery.pins.length, 3) : 0;
    if (outcome.status === "delivered" && pins === 0) continue;
    const charged = BigInt(pins) * 1_000n;
    if (!state.final) state = { final: true, charged, corrections: 0 };
    else if (isReading && state.corrections < 4 && (charged > state.charged || (outcome.status === "failed" && state.charged > 0n)))
      state = { final: true, charged, corrections: state.corrections + 1 };
  }
  return state.charged;
}

test("whatever an aggregator says of pins, in whatever order, the wallet has paid for what it last had to be told", async () => {
  const shop = await aVtuMerchant();
  const exam = await productNamed("sandbox", "exam", "neco-result");
  let before = (await walletOf(shop.merchant.id)).balance;
  await fc.assert(
    fc.asyncProperty(fc.array(outcomes, { minLength: 1, maxLength: 6 }), async (said) => {
      const purchase = await claimed(shop, {
        service: "exam",
        recipient: null,
        productId: exam.id,
        quantity: 3,
        unitPrice: 1_000n,
        amount: 3_000n,
      });
      for (const { outcome, isReading } of said) {
        const word = finalWord(purchase, outcome);
        if (word) await settlePurchase(purchase, { outcome: word, ...(isReading && { turn: 0 }) });
      }
      const { status, charged } = await again(purchase);
      expect(charged).toBe(worthOf(said));
      const { balance, held } = await walletOf(shop.merchant.id);
      expect({ balance, held }).toEqual({ balance: before - charged, held: status === "processing" ? 3_000n : 0n });
      if (status === "processing") await settlePurchase(purchase, { outcome: FAILED });
      before = (await walletOf(shop.merchant.id)).balance;
    }),
    { numRuns: 60 },
  );
  await expectInvariantsToHold();
});

test("a pin that is listed three times is one pin, and the others are refunded", () => {
  const pin = { serial: "S1", pin: "1111" };
  const word = finalWord(
    { service: "exam", variant: null },
    { status: "delivered", delivery: { ...NOTHING, pins: [pin, pin, { ...pin, serial: "S2" }] } },
  );
  expect(word).toMatchObject({ status: "delivered", delivery: { pins: [{ pin: "1111" }] } });
});

test("tokens are sealed in the row, several keep their order, and they open again for their own row alone", async () => {
  const shop = await aVtuMerchant();
  const disco = await productNamed("sandbox", "electricity", "eko-electric");
  const purchase = await buyProduct(shop.ctx, {
    service: "electricity",
    productId: disco.id,
    meterNumber: aMeter(),
    meterType: "Prepaid",
    amount: naira(60_000),
    customer: {},
    allowDuplicate: false,
  });
  const { tokens } = purchase.secrets;
  expect(tokens).toHaveLength(2);
  const row = await again(purchase);
  expect(openSecrets(row).tokens).toEqual(tokens);
  const [stored] = await sql()<{ text: string }[]>`select purchases::text as text from purchases where id = ${purchase.id}`;
  for (const token of tokens) expect(stored?.text).not.toContain(token);
  expect(stored?.text).toMatch(/v1\.[0-9a-f]{8}\./);
  expect(() => openSecrets({ ...row, id: "vtu_ANOTHER" })).toThrow();
});

test("a merchant's other money does not wait on VTU's accounts in another order", async () => {
  const shop = await aVtuMerchant();
  const work = times(30, async (n) => {
    if (n % 3 === 0) return void (await buyProduct(shop.ctx, airtime()));
    if (n % 3 === 1) return addToWallet(shop, naira(10));
    const purchase = await claimed(shop);
    await settlePurchase(purchase, { outcome: FAILED });
    await settlePurchase(purchase, { outcome: DELIVERED, turn: 0 });
    await settlePurchase(purchase, { outcome: FAILED, turn: 0 });
  });
  await Promise.all(work);
  await mustPost(db(), shop.merchant.id, [
    { kind: "post", key: "test:last", debit: WALLET, credit: SETTLEMENT_BANK, amount: money(1n, "NGN") },
  ]);
  await expectInvariantsToHold();
});
