import { expect, test } from "vitest";
import { db } from "#db/client.ts";
import { bulkOrders } from "#db/schema/bulk.ts";
import { newId } from "#lib/ids.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { leaseDueOrders } from "./lease.ts";

withDatabase();

async function addRunning(merchantId: string, count: number): Promise<void> {
  const order = { merchantId, service: "airtime", status: "running", madeBy: "system:test", buyerId: "usr_x" } as const;
  const orders = Array.from({ length: count }, () => ({ ...order, id: newId("bulkOrder"), confirmedAt: new Date() }));
  await db().insert(bulkOrders).values(orders);
}

test("a merchant with many running orders takes one place of a round, and the others follow in the next rounds", async () => {
  const [many, one] = [await aMerchant(), await aMerchant()];
  await addRunning(many.merchant.id, 12);
  await addRunning(one.merchant.id, 1);
  const first = await leaseDueOrders(10);
  expect(first.map(({ merchantId }) => merchantId).sort()).toEqual([many.merchant.id, one.merchant.id].sort());
  const later: string[] = [];
  for (let round = 0; round < 12; round++) later.push(...(await leaseDueOrders(10)).map(({ id }) => id));
  expect(new Set(later).size).toBe(11);
});
