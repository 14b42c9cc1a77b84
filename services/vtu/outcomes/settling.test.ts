import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { PurchaseOutcome } from "#providers/aggregator.ts";
import { withCleanWords } from "#providers/clean-words.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { eventTypesOf } from "../../checkout/checkout.fixture.ts";
import { systemContext } from "../../context.ts";
import { buyProduct } from "../buying/buy-product.ts";
import { settleAnswer } from "../buying/settle-answers.ts";
import { finalOutcome } from "../buying/transition.ts";
import { openSecrets } from "../delivery.ts";
import { receiveHint } from "../index.ts";
import { presentPurchase } from "../present.ts";
import type { PurchaseRow } from "../purchase.ts";
import {
  AIRTIME_PRICE,
  aClaimedPurchase,
  airtime,
  aMeter,
  aPhone,
  aVtuMerchant,
  currentRow,
  DELIVERED,
  EMPTY_DELIVERY,
  FAILED,
  letPurchaseAge,
  orderVtuFault,
  productNamed,
  walletOf,
} from "../vtu.fixture.ts";
import { resolveDuePurchases, resolveIfDue } from "./resolve-purchases.ts";

withDatabase();
withApp();

describe("a purchase", () => {
  test("is settled once by twenty contradicting answers at once, with one event", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop);
    const rows = await Promise.all(times(20, (n) => settleAnswer(purchase, n % 2 === 0 ? DELIVERED : FAILED)));
    const { status, corrections } = await currentRow(purchase);
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set([status]));
    expect(corrections).toBe(0);
    expect(await eventTypesOf(shop)).toEqual([status === "success" ? "vtu.success" : "vtu.failed"]);
    expect((await walletOf(shop.merchant.id)).held).toBe(0n);
    await expectInvariantsToHold();
  });

  test("that never reached its aggregator is refunded once, and not before the aggregator would know it", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await aClaimedPurchase(shop);
    await sql()`update purchases set next_attempt_at = now() - interval '1 second' where id = ${purchase.id}`;
    await resolveIfDue(purchase);
    expect((await currentRow(purchase)).status).toBe("processing");
    await letPurchaseAge(purchase);
    await Promise.all(times(5, () => resolveDuePurchases(systemContext("test"))));
    expect(await currentRow(purchase)).toMatchObject({
      status: "failed",
      charged: 0n,
      failureReason: "The provider never received it.",
    });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: naira(500).minor, held: 0n });
    expect(await eventTypesOf(shop)).toEqual(["vtu.failed"]);
  });

  test.each(["hang_after", "error_after", "nonsense", "unknown_word"] as const)(
    "that is delivered but answered with %s is charged once and ordered once",
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
        receiveHint(systemContext("test"), "sandbox", { reference: purchase.id }),
      ]);
      expect(await currentRow(purchase)).toMatchObject({ status: "success", charged: AIRTIME_PRICE.minor });
      const orders = await sql()`select from sandbox.vtu_orders where recipient = ${phone}`;
      expect(orders).toHaveLength(1);
      await expectInvariantsToHold();
    },
  );

  test("stays processing while its aggregator does not know it yet, and is read again after longer and longer waits", async () => {
    const shop = await aVtuMerchant();
    const phone = aPhone("1111");
    const purchase = await aClaimedPurchase(shop, { recipient: phone });
    const waitsS: number[] = [];
    for (let n = 0; n < 8; n++) {
      await sql()`update purchases set next_attempt_at = now() - interval '1 ms', created_at = now() where id = ${purchase.id}`;
      await resolveIfDue(purchase);
      const [row] = await sql()<{ wait: number }[]>`
        select extract(epoch from next_attempt_at - now())::float8 as wait from purchases where id = ${purchase.id}`;
      waitsS.push(Math.round((row?.wait ?? 0) / 10) * 10);
    }
    expect(waitsS).toEqual([1, 2, 5, 10, 30, 60, 60, 60].map((minutes) => minutes * 60));
    expect(await currentRow(purchase)).toMatchObject({ status: "processing", attempts: 8, fencingToken: 8 });
    await settleAnswer(purchase, FAILED);
  });
});

test("a final purchase that is read again unchanged is read once more a day after its completion, and then never", async () => {
  const shop = await aVtuMerchant();
  const purchase = await buyProduct(shop.ctx, airtime());
  const readWhenCompleted = async (hoursAgo: number) => {
    await sql()`
      update purchases set next_attempt_at = now() - interval '1 ms', created_at = now() - interval '3 days', completed_at = now() - ${hoursAgo} * interval '1 hour'
      where id = ${purchase.id}`;
    await resolveIfDue(purchase);
    const { status, nextAttemptAt, completedAt } = await currentRow(purchase);
    return { status, hours: nextAttemptAt && completedAt && (nextAttemptAt.getTime() - completedAt.getTime()) / HOUR_MS };
  };
  expect(await readWhenCompleted(2)).toEqual({ status: "success", hours: 24 });
  expect(await readWhenCompleted(25)).toEqual({ status: "success", hours: null });
});

test("a purchase whose event cannot be stored is not settled, and neither is a batch of them", async () => {
  const shop = await aVtuMerchant();
  const made = await Promise.all(times(3, () => aClaimedPurchase(shop)));
  await sql()`delete from event_counters where merchant_id = ${shop.merchant.id}`;
  const settled = await Promise.allSettled(made.map((purchase) => settleAnswer(purchase, DELIVERED)));
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect((await currentRow(made[0] as PurchaseRow)).status).toBe("processing");
  expect((await walletOf(shop.merchant.id)).held).toBe(3n * AIRTIME_PRICE.minor);
  await sql()`insert into event_counters (merchant_id) values (${shop.merchant.id})`;
  for (const purchase of made) await settleAnswer(purchase, DELIVERED);
});

test("a purchase is settled although its aggregator's reason has characters that PostgreSQL cannot store", async () => {
  const shop = await aVtuMerchant();
  const purchase = await aClaimedPurchase(shop);
  const { buy } = withCleanWords({ buy: async (): Promise<PurchaseOutcome> => ({ status: "failed", reason: "no\u0000 \ud800\n way" }) });
  const outcome = finalOutcome(purchase, await buy());
  if (!outcome) throw new Error("not final");
  expect(await settleAnswer(purchase, outcome)).toMatchObject({ status: "failed", failureReason: "no\ufffd \ufffd  way" });
});

test("a pin that is listed three times counts as one pin", () => {
  const pin = { serial: "S1", pin: "1111" };
  const outcome = finalOutcome(
    { service: "exam", variant: null },
    { status: "delivered", delivery: { ...EMPTY_DELIVERY, pins: [pin, pin, { ...pin, serial: "S2" }] } },
  );
  expect(outcome).toMatchObject({ status: "delivered", delivery: { pins: [{ pin: "1111" }] } });
});

test("tokens are sealed in their row, keep their order and open for their own row alone", async () => {
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
  const { tokens = [] } = presentPurchase(purchase);
  expect(tokens).toHaveLength(2);
  const row = await currentRow(purchase);
  expect(openSecrets(row).tokens).toEqual(tokens);
  const [stored] = await sql()<{ text: string }[]>`select purchases::text as text from purchases where id = ${purchase.id}`;
  for (const token of tokens) expect(stored?.text).not.toContain(token);
  expect(stored?.text).toMatch(/v1\.[0-9a-f]{8}\./);
  expect(() => openSecrets({ ...row, id: "vtu_ANOTHER" })).toThrow();
});
