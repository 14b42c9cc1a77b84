import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import type { MerchantContext } from "../../context.ts";
import { claimKey, releaseClaim } from "../../idempotency/index.ts";
import { endLease } from "../../idempotency/leases.fixture.ts";
import { SETTLEMENT_VTU } from "../../ledger/index.ts";
import {
  AIRTIME_PRICE,
  aClaimedPurchase,
  airtime,
  aMeter,
  aPhone,
  aVtuMerchant,
  mtnAirtime,
  productNamed,
  readListOf,
  skuOfMtn,
  walletOf,
} from "../vtu.fixture.ts";
import { buyProduct } from "./buy-product.ts";

withDatabase();
withApp();

test("orders for other recipients in one batch are no duplicates of each other, also of a process that knows no SKU", async () => {
  const shop = await aVtuMerchant();
  const sku = null as unknown as string;
  const orders = times(6, () => aClaimedPurchase(shop, { sku, isMeant: false, recipient: aPhone() }));
  expect(new Set((await Promise.allSettled(orders)).map(({ status }) => status))).toEqual(new Set(["fulfilled"]));
  const recipient = aPhone();
  const same = await Promise.allSettled(times(3, () => aClaimedPurchase(shop, { sku, isMeant: false, recipient })));
  expect(same.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

describe("the same order within 30 seconds", () => {
  const refused = { code: "DUPLICATE_PURCHASE" };

  test("is refused under another SKU for the same product, because the aggregator may have renamed it, and for airtime only with its amount", async () => {
    const shop = await aVtuMerchant();
    const recipient = aPhone();
    const bought = (sku: string, amount: bigint) => aClaimedPurchase(shop, { sku, amount, unitPrice: amount, recipient, isMeant: false });
    await bought("airtime/mtn/500", 50_000n);
    await expect(bought("airtime/mtn-nigeria/500", 50_000n)).rejects.toMatchObject(refused);
    await bought("airtime/mtn-nigeria/600", 60_000n);
  });

  test("is refused for a meter only with its amount, also where the SKU has changed", async () => {
    const shop = await aVtuMerchant();
    const meter = { service: "electricity", variant: "Prepaid", recipient: aMeter(), isMeant: false } as const;
    const bought = (sku: string, amount: bigint) => aClaimedPurchase(shop, { ...meter, sku, amount, unitPrice: amount });
    await bought("electricity/ikeja/prepaid/5000", 500_000n);
    await bought("electricity/ikeja/prepaid/6000", 600_000n);
    await expect(bought("electricity/ikeja-electric/prepaid/6000", 600_000n)).rejects.toMatchObject(refused);
  });

  test("repeated orders in one batch are recognised by their SKU, whatever their product", async () => {
    const shop = await aVtuMerchant();
    const [one, other] = [await mtnAirtime(), await productNamed("sandbox", "airtime", "glo-vtu")];
    const recipient = aPhone();
    const claims = [one, other, one, other].map(({ id: productId }) =>
      aClaimedPurchase(shop, { productId, sku: skuOfMtn(AIRTIME_PRICE.minor), recipient, isMeant: false }),
    );
    expect((await Promise.allSettled(claims)).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("of five same orders at once four are refused; one that is meant, follows a failure or comes after 30 seconds is bought", async () => {
    const shop = await aVtuMerchant();
    const order = airtime({ phone: aPhone() });
    const outcomes = await Promise.allSettled(times(5, () => buyProduct(shop.ctx, order)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "DUPLICATE_PURCHASE" });
    await buyProduct(shop.ctx, { ...order, allowDuplicate: true });
    await buyProduct({ ...shop.ctx, resourceId: "vtu_KEYED1" }, order);
    await buyProduct(shop.ctx, { ...order, amount: naira(501) } as typeof order);
    await expect(buyProduct(shop.ctx, order)).rejects.toMatchObject({ code: "DUPLICATE_PURCHASE" });
    await sql()`update purchases set created_at = created_at - interval '30 seconds' where merchant_id = ${shop.merchant.id}`;
    await buyProduct(shop.ctx, order);
    const failing = airtime({ phone: aPhone("0000") });
    await buyProduct(shop.ctx, failing);
    await buyProduct(shop.ctx, failing);
    const other = await aVtuMerchant();
    await buyProduct(other.ctx, order);
    await expectInvariantsToHold();
  });

  test("is refused to a member even with a new Idempotency-Key, because the dashboard always sends one: only allowDuplicate says it is meant", async () => {
    const shop = await aVtuMerchant();
    const order = airtime();
    const member: MerchantContext = { ...shop.ctx, actor: { type: "member", id: "usr_1" }, role: "admin" };
    const keyed = (ctx: MerchantContext, n: number) => ({ ...ctx, resourceId: `vtu_${ctx.actor.type}_${n}` });
    const outcomes = await Promise.allSettled(times(5, (n) => buyProduct(keyed(member, n), order)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "DUPLICATE_PURCHASE" });
    await buyProduct(keyed(member, 5), { ...order, allowDuplicate: true });
    await buyProduct(keyed(shop.ctx, 6), order);
    expect(await sql()`select from purchases where merchant_id = ${shop.merchant.id}`).toHaveLength(3);
  });

  test("is refused also while another process stores the first one", async () => {
    const shop = await aVtuMerchant();
    const product = await mtnAirtime();
    const recipient = aPhone();
    const price = String(AIRTIME_PRICE.minor);
    // One process runs one batch of a merchant at a time, so plain SQL plays the other process.
    await sql()
      .begin(async (tx) => {
        await tx`select from ledger_accounts where merchant_id = ${shop.merchant.id} and account = ${SETTLEMENT_VTU} for update`;
        const second = aClaimedPurchase(shop, { recipient, isMeant: false });
        second.catch(() => undefined);
        await tx`
        insert into purchases (merchant_id, id, service, provider, product_id, product_code, product_name, recipient, variant, sku, customer, quantity, unit_price, amount, made_by, next_attempt_at)
        values (${shop.merchant.id}, 'vtu_OTHER', 'airtime', 'sandbox', ${product.id}, 'x', 'x', ${recipient}, 'VTU', ${skuOfMtn(AIRTIME_PRICE.minor)}, '{}', 1, ${price}::text::bigint, ${price}::text::bigint, 'system:test', now())`;
        return { second };
      })
      .then(({ second }) => expect(second).rejects.toMatchObject({ code: "DUPLICATE_PURCHASE" }));
    await sql()`delete from purchases where id = 'vtu_OTHER'`;
  });
});

test("a superseded request buys nothing, even after its successor released the key, and the request with the lease buys", async () => {
  const shop = await aVtuMerchant();
  const before = await walletOf(shop.merchant.id);
  const claim = { merchantId: shop.merchant.id, scope: "POST /x", key: "k", bodyHash: "h" };
  const first = await claimKey(claim, () => "vtu_SLEEPY");
  if (first.status !== "run") throw new Error(first.status);
  const superseded = await endLease(first.lease);
  const second = await claimKey(claim, () => "vtu_OTHER");
  if (second.status !== "run") throw new Error(second.status);
  expect(second.resourceId).toBe("vtu_SLEEPY");
  const order = airtime();
  await expect(buyProduct({ ...shop.ctx, resourceId: "vtu_SLEEPY", lease: superseded }, order)).rejects.toMatchObject({
    code: "REQUEST_IN_PROGRESS",
    outcome: "unknown",
  });
  // The successor gives the key back, for example because the price has changed. The superseded request wakes up after that.
  await releaseClaim(second.lease);
  await expect(buyProduct({ ...shop.ctx, resourceId: "vtu_SLEEPY", lease: superseded }, order)).rejects.toMatchObject({
    code: "REQUEST_IN_PROGRESS",
  });
  expect(await walletOf(shop.merchant.id)).toEqual({ balance: before.balance, held: 0n });
  const third = await claimKey(claim, () => "vtu_THIRD");
  if (third.status !== "run") throw new Error(third.status);
  expect((await buyProduct({ ...shop.ctx, resourceId: third.resourceId, lease: third.lease }, order)).id).toBe("vtu_THIRD");
});

test("if a superseded request and its successor are in one batch, the successor claims the purchase and the other is refused", async () => {
  const shop = await aVtuMerchant();
  const claim = { merchantId: shop.merchant.id, scope: "POST /y", key: "k", bodyHash: "h" };
  const first = await claimKey(claim, () => "vtu_BOTH");
  if (first.status !== "run") throw new Error(first.status);
  const superseded = await endLease(first.lease);
  const second = await claimKey(claim, () => "vtu_OTHER");
  if (second.status !== "run") throw new Error(second.status);
  // This claim is a batch of its own. The two claims that come while it runs are the next batch.
  const earlier = aClaimedPurchase(shop);
  const claims = await Promise.allSettled(
    [superseded, second.lease].map((lease) => aClaimedPurchase(shop, { id: "vtu_BOTH", claim: lease })),
  );
  expect(claims.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(claims[0]).toMatchObject({ reason: { code: "REQUEST_IN_PROGRESS" } });
  await earlier;
});

test("a claim waits for the request that is taking its Idempotency-Key over, and then claims nothing", async () => {
  const shop = await aVtuMerchant();
  const claim = await claimKey({ merchantId: shop.merchant.id, scope: "POST /z", key: "k", bodyHash: "h" }, () => "vtu_TAKEN");
  if (claim.status !== "run") throw new Error(claim.status);
  const { superseded } = await sql().begin(async (tx) => {
    await tx`update idempotency_keys set locked_until = now() + interval '1 hour' where scope = 'POST /z'`;
    const waiting = aClaimedPurchase(shop, { id: "vtu_TAKEN", claim: claim.lease });
    waiting.catch(() => undefined);
    await until(isLockAwaited);
    return { superseded: waiting };
  });
  await expect(superseded).rejects.toMatchObject({ code: "REQUEST_IN_PROGRESS" });
});

test("a purchase that the wallet did not cover is refused again under its id, even at a price that the wallet covers", async () => {
  const shop = await aVtuMerchant({ wallet: 100 });
  const insufficient = { code: "INSUFFICIENT_BALANCE" };
  for (const amount of [20_000n, 20_000n, 5_000n]) {
    await expect(aClaimedPurchase(shop, { id: "vtu_SHORT", amount, unitPrice: amount })).rejects.toMatchObject(insufficient);
  }
  expect(await walletOf(shop.merchant.id)).toEqual({ balance: 10_000n, held: 0n });
});

test("the same goods from another aggregator, of another kind or at a new price are the same order, and others are not", async () => {
  const shop = await aVtuMerchant();
  await readListOf("sandbox-vtpass");
  const order = airtime();
  await buyProduct(shop.ctx, order);
  await expect(buyProduct(shop.ctx, { ...order, variant: "Sharesell" } as typeof order)).rejects.toMatchObject({
    code: "DUPLICATE_PURCHASE",
  });
  const elsewhere = { ...shop.ctx, merchant: { ...shop.merchant, aggregator: "sandbox-vtpass" } };
  await expect(buyProduct(elsewhere, order)).rejects.toMatchObject({ code: "DUPLICATE_PURCHASE" });
  await buyProduct(elsewhere, { ...order, amount: naira(600) } as typeof order);
  const plan = await productNamed("sandbox", "data", "");
  const data = { service: "data", productId: plan.id, phone: aPhone(), allowDuplicate: false } as const;
  await buyProduct(shop.ctx, data);
  await sql()`update products set selling_price = selling_price + 100 where id = ${plan.id}`;
  await expect(buyProduct(shop.ctx, data)).rejects.toMatchObject({ code: "DUPLICATE_PURCHASE" });
  await sql()`update products set selling_price = selling_price - 100 where id = ${plan.id}`;
  await expectInvariantsToHold();
});

describe("claims that come in one batch", () => {
  /** Claims purchases together, while an earlier claim runs. Returns for each "claimed", or the code of its refusal with what it says. */
  async function claimTogether(shop: Awaited<ReturnType<typeof aVtuMerchant>>, ...each: Parameters<typeof aClaimedPurchase>[1][]) {
    const earlier = aClaimedPurchase(shop);
    const claims = await Promise.allSettled(each.map((changes) => aClaimedPurchase(shop, changes)));
    await earlier;
    return claims.map((claim) => (claim.status === "fulfilled" ? "claimed" : [claim.reason.code, claim.reason.message]));
  }

  test("for one phone are bought once, and the others name the purchase that they repeat, unless they are meant", async () => {
    const shop = await aVtuMerchant();
    const recipient = aPhone();
    const said = await claimTogether(
      shop,
      { id: "vtu_ONE", recipient, isMeant: false },
      { recipient, isMeant: false },
      { recipient, isMeant: true },
      { recipient: aPhone(), isMeant: false },
    );
    expect(said).toEqual(["claimed", ["DUPLICATE_PURCHASE", expect.stringContaining("(vtu_ONE)")], "claimed", "claimed"]);
    await expectInvariantsToHold();
  });

  test("of exam pins, which have no recipient, repeat nothing", async () => {
    const shop = await aVtuMerchant();
    const pins = { recipient: null, service: "exam" as const, isMeant: false };
    expect(await claimTogether(shop, pins, pins)).toEqual(["claimed", "claimed"]);
  });

  test("claims that the wallet does not cover are refused for that reason, also if they repeat each other", async () => {
    const shop = await aVtuMerchant({ wallet: 2 * Number(AIRTIME_PRICE.minor / 100n) });
    const recipient = aPhone();
    const amount = AIRTIME_PRICE.minor * 2n;
    const much = { recipient, amount, unitPrice: amount, isMeant: false };
    const said = await claimTogether(shop, much, much, { isMeant: false });
    expect(said).toEqual([["INSUFFICIENT_BALANCE", expect.any(String)], ["INSUFFICIENT_BALANCE", expect.any(String)], "claimed"]);
    await expectInvariantsToHold();
  });

  test("if the ledger refuses one claim for another reason, the whole batch is undone", async () => {
    const shop = await aVtuMerchant();
    const before = await walletOf(shop.merchant.id);
    await expect(aClaimedPurchase(shop, { amount: 0n, unitPrice: 0n })).rejects.toThrow(/AMOUNT_INVALID/);
    expect(await walletOf(shop.merchant.id)).toEqual(before);
  });
});
