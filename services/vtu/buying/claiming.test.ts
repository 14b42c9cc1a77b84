import { describe, expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { money, naira } from "#lib/money.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { addToWallet } from "../../cards/cards.fixture.ts";
import { systemContext } from "../../context.ts";
import { mustPost, SETTLEMENT_BANK, WALLET } from "../../ledger/index.ts";
import { aggregators } from "../../providers/index.ts";
import { resolveDuePurchases } from "../outcomes/resolve-purchases.ts";
import type { VisiblePurchase } from "../purchase.ts";
import {
  AIRTIME_PRICE,
  aClaimedPurchase,
  airtime,
  aPhone,
  aVtuMerchant,
  currentRow,
  DELIVERED,
  FAILED,
  letPurchaseAge,
  settleAsRead,
  walletOf,
} from "../vtu.fixture.ts";
import { buyProduct } from "./buy-product.ts";
import { claimPurchase } from "./claim-purchases.ts";
import { settleAnswer } from "./settle-answers.ts";

withDatabase();
withApp();

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

  test("pays once for a purchase that is claimed six times, five of them at once", async () => {
    const shop = await aVtuMerchant({ wallet: 10_000 });
    const one = await aClaimedPurchase(shop);
    const rest = await Promise.all(times(5, () => claimPurchase({ ...one, isMeant: true })));
    expect(rest.filter((claim) => claim !== undefined)).toEqual([]);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: naira(10_000).minor, held: AIRTIME_PRICE.minor });
    await settleAnswer(one, FAILED);
  });
});

test("purchases that are claimed in one batch keep their own metadata each, also where some of the batch are refused", async () => {
  const shop = await aVtuMerchant({ wallet: 10 * 500 });
  const phone = aPhone();
  const order = (n: number) => airtime({ ...(n % 3 === 0 && { phone }), metadata: { order: String(n) } });
  const outcomes = await Promise.allSettled(times(20, (n) => buyProduct(shop.ctx, order(n))));
  const bought = outcomes.flatMap((outcome, n) => (outcome.status === "fulfilled" ? [{ ...outcome.value, n }] : []));
  expect(bought).toHaveLength(10);
  for (const { id, merchantId, metadata, n } of bought) {
    expect(metadata).toEqual({ order: String(n) });
    expect((await currentRow({ id, merchantId })).metadata).toEqual({ order: String(n) });
  }
  await expectInvariantsToHold();
});

test("every event of a purchase has its metadata: after a failure, a late delivery and a reversal", async () => {
  const shop = await aVtuMerchant();
  const purchase = await aClaimedPurchase(shop, { metadata: { order: "1" } });
  for (const outcome of [FAILED, DELIVERED, FAILED]) await settleAsRead(purchase, outcome);
  const events = await sql()<{ type: string; metadata: object }[]>`
    select type, data->'metadata' as metadata from events where merchant_id = ${shop.merchant.id} order by sequence`;
  const metadata = { order: "1" };
  expect(events).toEqual(["vtu.failed", "vtu.success", "vtu.reversed"].map((type) => ({ type, metadata })));
});

describe("a process that stalls", () => {
  const ordersOf = (id: string) => sql()`select 1 from sandbox.vtu_orders where reference = ${id}`;

  test("a process that stalls while it claims a purchase never sends the order, and the money comes back", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const waitedMs = startStopwatch();
    let buying: Promise<VisiblePurchase> | undefined;
    await sql().begin(async (tx) => {
      await tx`select 1 from ledger_accounts where merchant_id = ${shop.merchant.id} and account = 'settlement:vtu' for update`;
      buying = buyProduct(shop.ctx, airtime());
      await until(async () => waitedMs() > 5_500);
    });
    const purchase = await buying;
    if (!purchase) throw new Error("nothing was bought");
    expect(purchase.status).toBe("processing");
    await letPurchaseAge(purchase);
    await until(async () => (await resolveDuePurchases(systemContext("test"))) === 0 && (await currentRow(purchase)).status === "failed");
    expect(await ordersOf(purchase.id)).toHaveLength(0);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: naira(500).minor, held: 0n });
    await expectInvariantsToHold();
  });

  test("a process that stalls before its call may buy a purchase that was given up, and the wallet then pays for it once", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await aClaimedPurchase(shop);
    await letPurchaseAge(purchase);
    await resolveDuePurchases(systemContext("test"));
    expect((await currentRow(purchase)).status).toBe("failed");
    const { id: reference, service, createdAt, productCode, recipient, variant, quantity } = purchase;
    const order = { reference, service, createdAt, productCode, recipient, variant, quantity, customerPhone: null };
    expect((await aggregators.named("sandbox")?.buy({ ...order, amount: AIRTIME_PRICE }))?.status).toBe("delivered");
    const { nextAttemptAt } = await currentRow(purchase);
    expect((nextAttemptAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThan(2 * MINUTE_MS);
    await sql()`update purchases set next_attempt_at = now() - interval '1 second' where id = ${purchase.id}`;
    await Promise.all(times(5, () => resolveDuePurchases(systemContext("test"))));
    expect(await currentRow(purchase)).toMatchObject({ status: "success", charged: AIRTIME_PRICE.minor, corrections: 1 });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    await expectInvariantsToHold();
  });

  test("if a stalled process gets its answer after its purchase was given up, the purchase is due at once", async () => {
    const shop = await aVtuMerchant({ wallet: 500 });
    const purchase = await aClaimedPurchase(shop);
    await letPurchaseAge(purchase);
    await resolveDuePurchases(systemContext("test"));
    await settleAnswer(purchase, DELIVERED);
    const { status, nextAttemptAt } = await currentRow(purchase);
    expect(status).toBe("failed");
    expect(nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});

test("purchases, refunds and wallet credits of one merchant at once do not deadlock", async () => {
  const shop = await aVtuMerchant();
  const work = times(30, async (n) => {
    if (n % 3 === 0) return void (await buyProduct(shop.ctx, airtime()));
    if (n % 3 === 1) return addToWallet(shop, naira(10));
    const purchase = await aClaimedPurchase(shop);
    await settleAnswer(purchase, FAILED);
    await settleAsRead(purchase, DELIVERED);
    await settleAsRead(purchase, FAILED);
  });
  await Promise.all(work);
  await mustPost(db(), shop.merchant.id, [
    { kind: "post", key: "test:last", debit: WALLET, credit: SETTLEMENT_BANK, amount: money(1n, "NGN") },
  ]);
  await expectInvariantsToHold();
});
