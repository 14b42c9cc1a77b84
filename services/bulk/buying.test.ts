import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { addToWallet } from "../cards/cards.fixture.ts";
import { bindProvider, suspendMerchant, switchArea } from "../merchants/index.ts";
import { anOperator } from "../merchants/merchant.fixture.ts";
import { buyProduct } from "../vtu/index.ts";
import { airtime, aPhone, productNamed, readListOf, walletOf } from "../vtu/vtu.fixture.ts";
import {
  aBulkBuyer,
  airtimeFile,
  aMemberOf,
  aRunningOrder,
  boughtBy,
  dueAgain,
  endOrderLease,
  rowsOf,
  sweep,
  termsOf,
  untilHalted,
} from "./bulk.fixture.ts";
import { cancelBulkOrder, confirmBulkOrder, getBulkOrder, resumeBulkOrder, stopBulkOrder, uploadBulkOrder } from "./index.ts";

withDatabase();
withApp();

const ok = (count: number) => Array.from({ length: count }, () => "6789");

/** Returns the number of the same plan at another aggregator. */
async function sameAs(productId: number, aggregator: string): Promise<number> {
  const [same] = await sql()<{ id: number }[]>`
    select there.id from products here join products there using (service, brand, variant, size, validity)
    where here.id = ${productId} and there.provider = ${aggregator}`;
  if (!same) throw new Error(`${aggregator} does not sell it`);
  return same.id;
}

/** Expects that each row was bought once, and that the wallet paid for exactly these purchases. */
async function expectOncePerRow(buyer: Awaited<ReturnType<typeof aBulkBuyer>>, rows: number, kobo: bigint, before = 100_000_000n) {
  expect(await boughtBy(buyer.shop)).toEqual({ purchases: rows, recipients: rows, kobo });
  const { balance } = await walletOf(buyer.shop.merchant.id);
  expect(before - balance).toBe(kobo);
  await expectInvariantsToHold();
}

test("a confirmed order is bought row by row, failed rows are refunded, and undecided rows do not delay the others", async () => {
  const buyer = await aBulkBuyer();
  const order = await aRunningOrder(buyer, ["6789", "0000", "1111", "6789"]);
  const done = await untilHalted(buyer.ctx, order.id);
  expect(done).toMatchObject({ status: "done", counts: { bought: 3, failed: 1, processing: 1, ready: 0 }, spent: naira(300) });
  const rows = await rowsOf(buyer.ctx, order.id);
  expect(rows.map(({ status, purchase }) => [status, purchase?.status])).toEqual([
    ["bought", "success"],
    ["failed", "failed"],
    ["bought", "processing"],
    ["bought", "success"],
  ]);
  const [made] = await sql()`select distinct made_by from purchases where merchant_id = ${buyer.shop.merchant.id}`;
  expect(made).toEqual({ made_by: `member:${buyer.ctx.actor.id}` });
  await expectInvariantsToHold();
});

test("five confirmations at once let it be bought once, and so do five workers at once", async () => {
  const buyer = await aBulkBuyer();
  const draft = await uploadBulkOrder(buyer.ctx, airtimeFile(ok(20)));
  const confirmed = await Promise.allSettled(times(5, () => confirmBulkOrder(buyer.ctx, draft.id, termsOf(draft))));
  expect(confirmed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  // Workers that ignore each other's lease on the order: only the leases on the rows are left.
  const workers = Promise.all(times(5, () => untilHalted(buyer.ctx, draft.id, endOrderLease)));
  expect((await workers).map(({ status }) => status)).toEqual(Array(5).fill("done"));
  await expectOncePerRow(buyer, 20, 200_000n);
});

test("after a worker was killed between a purchase and its record, another worker finds the purchase and does not buy again", async () => {
  const buyer = await aBulkBuyer();
  const order = await aRunningOrder(buyer, ok(3));
  await untilHalted(buyer.ctx, order.id);
  // As a kill leaves it: the purchases are stored, two rows and the order do not say so, and the keys are leased.
  await sql()`update bulk_orders set status = 'running', completed_at = null, locked_until = now() - interval '1 second' where id = ${order.id}`;
  await sql()`update bulk_rows set status = 'ready' where bulk_order_id = ${order.id} and row > 2`;
  await sql()`update idempotency_keys set state = 'running', status = null, locked_until = now() - interval '1 second' where key = ${`${order.id}:3`}`;
  await sql()`delete from idempotency_keys where key = ${`${order.id}:4`}`;
  expect((await getBulkOrder(buyer.ctx, order.id)).counts).toMatchObject({ bought: 3, ready: 0 });
  expect(await untilHalted(buyer.ctx, order.id)).toMatchObject({ status: "done", counts: { bought: 3 } });
  await expectOncePerRow(buyer, 3, 30_000n);
});

test("no purchase is stored after a stop is answered, and a resume buys the rest once", async () => {
  const buyer = await aBulkBuyer();
  const order = await aRunningOrder(buyer, ok(30));
  const working = Promise.all(times(2, () => sweep()));
  await until(async () => (await boughtBy(buyer.shop)).purchases >= 3);
  const stopped = await stopBulkOrder(buyer.ctx, order.id);
  const { purchases } = await boughtBy(buyer.shop);
  expect(stopped).toMatchObject({ status: "paused", pauseReason: "stopped", counts: { bought: purchases, ready: 30 - purchases } });
  await working;
  await sweep();
  expect((await boughtBy(buyer.shop)).purchases).toBe(purchases);
  const resumed = await Promise.allSettled(times(5, () => resumeBulkOrder(buyer.ctx, order.id, termsOf(stopped))));
  expect(resumed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await untilHalted(buyer.ctx, order.id)).toMatchObject({ status: "done", counts: { bought: 30 } });
  await expectOncePerRow(buyer, 30, 300_000n);
});

test("an order that is stopped and resumed again and again beside three workers is bought once for each row", async () => {
  const buyer = await aBulkBuyer();
  const order = await aRunningOrder(buyer, ok(25));
  const isDone = async () => (await getBulkOrder(buyer.ctx, order.id)).status === "done";
  const workers = times(3, async () => {
    while (!(await isDone())) {
      await sweep(100);
      await endOrderLease(order.id);
    }
  });
  while (!(await isDone())) {
    const paused = await stopBulkOrder(buyer.ctx, order.id);
    if (paused.status !== "paused") break;
    await resumeBulkOrder(buyer.ctx, order.id, termsOf(paused));
    const { purchases } = await boughtBy(buyer.shop);
    await until(async () => (await boughtBy(buyer.shop)).purchases > purchases || (await isDone()));
  }
  await Promise.all(workers);
  expect((await getBulkOrder(buyer.ctx, order.id)).counts).toMatchObject({ bought: 25, ready: 0 });
  await expectOncePerRow(buyer, 25, 250_000n);
});

test("a wallet that runs short pauses the order at its row, and after a top-up it goes on", async () => {
  const buyer = await aBulkBuyer(350);
  const order = await aRunningOrder(buyer, ok(3));
  await buyProduct(buyer.shop.ctx, airtime({ amount: naira(100) }));
  const paused = await untilHalted(buyer.ctx, order.id);
  expect(paused).toMatchObject({ status: "paused", pauseReason: "insufficient_balance", pausedRow: 4, counts: { bought: 2, ready: 1 } });
  const alerts = await sql()`select type, message, noted_at from alerts where resource_id = ${order.id}`;
  expect(alerts).toEqual([{ type: "bulk_order.paused", message: expect.stringContaining("row 4"), noted_at: null }]);
  await expect(resumeBulkOrder(buyer.ctx, order.id, termsOf(paused))).rejects.toMatchObject({ code: "INSUFFICIENT_BALANCE" });
  await addToWallet(buyer.shop, naira(500));
  await resumeBulkOrder(buyer.ctx, order.id, termsOf(paused));
  expect(await untilHalted(buyer.ctx, order.id)).toMatchObject({ status: "done", counts: { bought: 3 } });
  await expectOncePerRow(buyer, 4, 40_000n, 85_000n);
});

test("a changed price refuses the confirmation, pauses a running order, and is bought once it is accepted", async () => {
  const buyer = await aBulkBuyer();
  const plan = await productNamed("sandbox", "data", "");
  const reprice = (change: number) => sql()`
    with p as (update products set selling_price = selling_price + ${change} where id = ${plan.id} returning id, selling_price)
    insert into product_prices (product_id, selling_price, valid_from) select id, selling_price, clock_timestamp() from p`;
  // The sandbox sells at its own price alone, which is the last of the three.
  await reprice(-2_000);
  const draft = await uploadBulkOrder(buyer.ctx, `phone,plan\n${aPhone()},${plan.id}\n${aPhone()},${plan.id}`);
  await reprice(1_000);
  await expect(confirmBulkOrder(buyer.ctx, draft.id, termsOf(draft))).rejects.toMatchObject({ code: "PRICE_CHANGED" });
  const present = await getBulkOrder(buyer.ctx, draft.id);
  expect(present.toBuy.minor - draft.toBuy.minor).toBe(2_000n);
  await confirmBulkOrder(buyer.ctx, draft.id, termsOf(present));
  await reprice(1_000);
  const paused = await untilHalted(buyer.ctx, draft.id);
  expect(paused).toMatchObject({ status: "paused", pauseReason: "price_changed", pausedRow: 2, counts: { bought: 0 } });
  await resumeBulkOrder(buyer.ctx, draft.id, termsOf(paused));
  expect(await untilHalted(buyer.ctx, draft.id)).toMatchObject({ status: "done", spent: paused.toBuy });
  await expectOncePerRow(buyer, 2, paused.toBuy.minor);
});

test("if an order paused at a new price, every row of its file is a duplicate in a second upload, at either price", async () => {
  const buyer = await aBulkBuyer();
  const plan = await productNamed("sandbox", "data", "");
  const reprice = (change: number) => sql()`
    with p as (update products set selling_price = selling_price + ${change} where id = ${plan.id} returning id, selling_price)
    insert into product_prices (product_id, selling_price, valid_from) select id, selling_price, clock_timestamp() from p`;
  const file = ["phone,plan", ...[1, 2, 3, 4].map(() => `${aPhone()},${plan.id}`)].join("\n");
  const draft = await uploadBulkOrder(buyer.ctx, file);
  await confirmBulkOrder(buyer.ctx, draft.id, termsOf(draft));
  // Two rows are bought; then the price rises by one Naira.
  await sql()`update bulk_rows set status = 'skipped' where bulk_order_id = ${draft.id} and row > 3`;
  await untilHalted(buyer.ctx, draft.id);
  await sql()`update bulk_rows set status = 'ready' where bulk_order_id = ${draft.id} and row > 3`;
  await sql()`update bulk_orders set status = 'running', completed_at = null where id = ${draft.id}`;
  await reprice(100);
  expect(await untilHalted(buyer.ctx, draft.id)).toMatchObject({ status: "paused", pauseReason: "price_changed", counts: { bought: 2 } });
  const again = await uploadBulkOrder(buyer.ctx, file);
  expect(again.counts).toMatchObject({ duplicate: 4, ready: 0 });
  // Nor is it bought from another aggregator, whose plan of the same data has a number of its own.
  await reprice(-100);
  await readListOf("sandbox-vtpass");
  await bindProvider(anOperator, buyer.shop.merchant.id, "aggregator", "sandbox-vtpass");
  const elsewhere = await sameAs(plan.id, "sandbox-vtpass");
  const there = await uploadBulkOrder(
    { ...buyer.ctx, merchant: { ...buyer.ctx.merchant, aggregator: "sandbox-vtpass" } },
    file.replaceAll(`,${plan.id}`, `,${elsewhere}`),
  );
  expect(there.counts).toMatchObject({ duplicate: 4, ready: 0 });
});

test.each([
  ["merchant_suspended", async ({ merchant }) => void (await suspendMerchant(anOperator, merchant.id, "The bank asked."))],
  ["service_not_enabled", async ({ merchant }) => void (await switchArea(anOperator, merchant.id, "vtu", false))],
  [
    "permission_lost",
    async ({ merchant }) => void (await sql()`update members set role = 'viewer' where business_id = ${merchant.businessId}`),
  ],
  ["permission_lost", async ({ merchant }) => void (await sql()`delete from members where business_id = ${merchant.businessId}`)],
] as [string, (shop: Awaited<ReturnType<typeof aBulkBuyer>>["shop"]) => Promise<void>][])(
  "an order whose member or merchant may not buy any more is paused before its next row: %s",
  async (reason, change) => {
    const buyer = await aBulkBuyer();
    const order = await aRunningOrder(buyer, ok(2));
    await change(buyer.shop);
    expect(await untilHalted(buyer.ctx, order.id)).toMatchObject({ status: "paused", pauseReason: reason, pausedRow: 2 });
    expect((await boughtBy(buyer.shop)).purchases).toBe(0);
  },
);

test("only ticked duplicates are bought again, and skipped rows are left out", async () => {
  const buyer = await aBulkBuyer();
  const [one, two] = [aPhone(), aPhone()];
  const line = (phone: string) => `${phone},mtn,100`;
  const file = ["phone,network,amount", line(one), line(one), line(two), line(two), `${aPhone()},mtn,100`].join("\n");
  const draft = await uploadBulkOrder(buyer.ctx, file);
  const terms = termsOf(draft, { expected_total: naira(300), duplicate_rows: [3], skip_rows: [6] });
  await expect(confirmBulkOrder(buyer.ctx, draft.id, { ...terms, duplicate_rows: [2] })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  await confirmBulkOrder(buyer.ctx, draft.id, terms);
  expect(await untilHalted(buyer.ctx, draft.id)).toMatchObject({ status: "done", counts: { bought: 3, skipped: 2 } });
  expect(await boughtBy(buyer.shop)).toEqual({ purchases: 3, recipients: 2, kobo: 30_000n });
});

test("one file that is uploaded twice and confirmed twice at once is bought once: the second is refused as duplicates", async () => {
  const buyer = await aBulkBuyer();
  const file = airtimeFile(ok(5));
  const drafts = await Promise.all(times(2, () => uploadBulkOrder(buyer.ctx, file)));
  const confirmed = await Promise.allSettled(drafts.map((draft) => confirmBulkOrder(buyer.ctx, draft.id, termsOf(draft))));
  expect(confirmed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(confirmed.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "DUPLICATE_PURCHASE" } });
  for (const { id } of drafts) await untilHalted(buyer.ctx, id);
  const states = await Promise.all(drafts.map(({ id }) => getBulkOrder(buyer.ctx, id)));
  expect(states.map(({ status, counts }) => [status, counts.bought, counts.duplicate]).sort()).toEqual([
    ["done", 5, 0],
    ["draft", 0, 5],
  ]);
  await expectOncePerRow(buyer, 5, 50_000n);
});

test("a cancelled order buys nothing more and keeps what it bought; another member may resume a paused one", async () => {
  const buyer = await aBulkBuyer();
  const order = await aRunningOrder(buyer, ok(4));
  await sweep(1);
  await expect(cancelBulkOrder(buyer.ctx, order.id)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  const paused = await stopBulkOrder(buyer.ctx, order.id);
  const colleague = await aMemberOf(buyer.shop);
  await resumeBulkOrder(colleague, order.id, termsOf(paused, { skip_rows: [], expected_total: paused.toBuy }));
  await stopBulkOrder(colleague, order.id);
  const cancelled = await cancelBulkOrder(colleague, order.id);
  expect(cancelled).toMatchObject({ status: "cancelled", counts: { bought: paused.counts.bought, skipped: 4 - paused.counts.bought } });
  await dueAgain(order.id);
  expect(await sweep()).toBe(0);
});
