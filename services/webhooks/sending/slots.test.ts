import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

/** Asks for a slot for each merchant, in this order. `got` lists those that have one, in the order in which they got it. */
function ask(slots: Slots, ...merchantIds: string[]) {
  const got: string[] = [];
  for (const merchantId of merchantIds) void slots.take(merchantId).then(() => got.push(merchantId));
  return got;
}

const settled = () => new Promise((done) => setImmediate(done));

test("slots of one merchant are given out in the order of the requests, and never more than there are", async () => {
  const slots = new Slots(2, 2);
  const got: number[] = [];
  for (const n of [1, 2, 3, 4]) void slots.take("shop").then(() => got.push(n));
  await settled();
  expect(got).toEqual([1, 2]);
  slots.giveBack("shop");
  await settled();
  expect(got).toEqual([1, 2, 3]);
  slots.giveBack("shop");
  slots.giveBack("shop");
  await settled();
  expect(got).toEqual([1, 2, 3, 4]);
  slots.giveBack("shop");
  slots.giveBack("shop");
  await Promise.all([slots.take("shop"), slots.take("shop")]);
});

test("a merchant that holds its share waits, and the free slots go to others", async () => {
  const slots = new Slots(4, 2);
  const got = ask(slots, "large", "large", "large", "small", "small");
  await settled();
  expect(got).toEqual(["large", "large", "small", "small"]);
  slots.giveBack("small");
  await settled();
  expect(got).toHaveLength(4);
  slots.giveBack("large");
  await settled();
  expect(got).toEqual(["large", "large", "small", "small", "large"]);
});

test("where all slots are taken, the next one goes to the merchant that holds the fewest, not to the one that asked first", async () => {
  const slots = new Slots(3, 3);
  const got = ask(slots, "large", "large", "middle", "large", "middle", "small", "other");
  await settled();
  for (const merchantId of ["large", "small", "other"]) slots.giveBack(merchantId);
  await settled();
  expect(got).toEqual(["large", "large", "middle", "small", "other", "large"]);
});
