import { expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../context.ts";
import { claimKey } from "../idempotency/index.ts";
import { endLease } from "../idempotency/leases.fixture.ts";
import { aBulkBuyer, airtimeFile, aRunningOrder, rowsOf, untilHalted } from "./bulk.fixture.ts";
import { cancelBulkOrder, getBulkOrder, purgeOldBulkDrafts, uploadBulkOrder } from "./index.ts";
import { deleteDraft } from "./purge-drafts.ts";
import { lockBulkOrder } from "./supersede-row-leases.ts";

withDatabase();
withApp();

const FILE = airtimeFile(["6789", "1111"]);
const age = (id: string, days: number) => sql()`update bulk_orders set created_at = now() - ${days} * interval '1 day' where id = ${id}`;

test("of 25 files uploaded at once 20 are kept as drafts, and throwing one away makes room for another", async () => {
  const { ctx } = await aBulkBuyer();
  const results = await Promise.allSettled(times(25, () => uploadBulkOrder(ctx, FILE)));
  const kept = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(kept).toHaveLength(20);
  for (const reason of refused) expect(reason).toMatchObject({ code: "VALIDATION_ERROR", errors: [{ param: "body" }] });
  await cancelBulkOrder(ctx, kept[0]?.id ?? "");
  await uploadBulkOrder(ctx, FILE);
  await expect(uploadBulkOrder(ctx, FILE)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("files that were not bought are forgotten with their rows after 7 days, and bought ones stay", async () => {
  const buyer = await aBulkBuyer();
  const { ctx } = buyer;
  const [draft, thrownAway, young] = [await uploadBulkOrder(ctx, FILE), await uploadBulkOrder(ctx, FILE), await uploadBulkOrder(ctx, FILE)];
  await cancelBulkOrder(ctx, thrownAway.id);
  const bought = await aRunningOrder(buyer, ["6789", "1111"]);
  await untilHalted(ctx, bought.id);
  for (const { id } of [draft, thrownAway, bought]) await age(id, 8);
  await age(young.id, 6);
  expect(await purgeOldBulkDrafts(systemContext("test"))).toBe(2);
  for (const { id } of [draft, thrownAway]) {
    await expect(getBulkOrder(ctx, id)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    expect(await sql()`select 1 from bulk_rows where bulk_order_id = ${id}`).toHaveLength(0);
  }
  for (const { id } of [young, bought]) expect(await rowsOf(ctx, id)).toHaveLength(2);
  expect(await purgeOldBulkDrafts(systemContext("test"))).toBe(0);
});

test("an old draft that a member is changing is not deleted, and does not delay the deletion of others", async () => {
  const { ctx } = await aBulkBuyer();
  const files = await Promise.all(times(5, () => uploadBulkOrder(ctx, FILE)));
  for (const { id } of files) await age(id, 8);
  const [first = ""] = files.map(({ id }) => id).sort();
  await transaction(async (tx) => {
    await lockBulkOrder(tx, ctx, first);
    expect(await outsideTransaction(() => purgeOldBulkDrafts(systemContext("test"), 2))).toBe(4);
  });
  expect(await rowsOf(ctx, first)).toHaveLength(2);
  expect(await purgeOldBulkDrafts(systemContext("test"))).toBe(1);
});

test("an old file that was bought since it was found is not forgotten", async () => {
  const buyer = await aBulkBuyer();
  const { id } = await aRunningOrder(buyer, ["6789", "1111"]);
  await age(id, 8);
  expect((await deleteDraft({ merchantId: buyer.ctx.merchant.id, id })).count).toBe(0);
  expect(await rowsOf(buyer.ctx, id)).toHaveLength(2);
});

test("a superseded attempt to cancel an order cancels nothing, and the attempt that took over does", async () => {
  const { ctx } = await aBulkBuyer();
  const order = await uploadBulkOrder(ctx, FILE);
  const claim = () => claimKey({ merchantId: ctx.merchant.id, scope: "POST /cancel", key: "sleepy", bodyHash: "h" }, () => "blk_new");
  const first = await claim();
  if (first.status !== "run") throw new Error("no lease");
  const sleepy = await endLease(first.lease);
  const second = await claim();
  if (second.status !== "run") throw new Error("no lease");
  await expect(cancelBulkOrder({ ...ctx, lease: sleepy }, order.id)).rejects.toMatchObject({
    code: "REQUEST_IN_PROGRESS",
    outcome: "unknown",
  });
  expect((await getBulkOrder(ctx, order.id)).status).toBe("draft");
  expect((await cancelBulkOrder({ ...ctx, lease: second.lease }, order.id)).status).toBe("cancelled");
});
