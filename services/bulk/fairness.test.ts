import { expect, test } from "vitest";
import { db } from "#db/client.ts";
import { bulkOrders } from "#db/schema/bulk.ts";
import { newId } from "#lib/ids.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { findDueOrders, takeLease } from "./lease.ts";

withDatabase();

async function addRunning(merchantId: string, count: number): Promise<void> {
  const order = { merchantId, service: "airtime", status: "running", madeBy: "system:test", buyerId: "usr_x" } as const;
  const orders = Array.from({ length: count }, () => ({ ...order, id: newId("bulkOrder"), confirmedAt: new Date() }));
  await db().insert(bulkOrders).values(orders);
}

async function leaseRound() {
  const leased = await Promise.all((await findDueOrders(10)).map(takeLease));
  return leased.filter((order) => order !== undefined);
}

test("a merchant with many running orders takes one place of a round, and the others follow in the next rounds", async () => {
  const [many, one] = [await aMerchant(), await aMerchant()];
  await addRunning(many.merchant.id, 12);
  await addRunning(one.merchant.id, 1);
  const first = await leaseRound();
  expect(first.map(({ merchantId }) => merchantId).sort()).toEqual([many.merchant.id, one.merchant.id].sort());
  const later: string[] = [];
  for (let round = 0; round < 12; round++) later.push(...(await leaseRound()).map(({ id }) => id));
  expect(new Set(later).size).toBe(11);
});

test("of five workers at once one takes the lease of an order", async () => {
  const { merchant } = await aMerchant();
  await addRunning(merchant.id, 1);
  const due = (await findDueOrders(10)).filter(({ merchantId }) => merchantId === merchant.id);
  const leased = await Promise.all(Array.from({ length: 5 }, () => Promise.all(due.map(takeLease))));
  expect(due).toHaveLength(1);
  expect(leased.flat().filter((order) => order !== undefined)).toMatchObject([{ fencingToken: 1 }]);
});
