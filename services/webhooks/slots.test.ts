import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

test("slots are given out in the order of the requests, and never more than there are", async () => {
  const slots = new Slots(2);
  const got: number[] = [];
  const asked = [1, 2, 3, 4].map(async (n) => {
    await slots.take();
    got.push(n);
  });
  await Promise.all(asked.slice(0, 2));
  await new Promise((done) => setImmediate(done));
  expect(got).toEqual([1, 2]);
  slots.giveBack();
  await asked[2];
  expect(got).toEqual([1, 2, 3]);
  slots.giveBack();
  await asked[3];
  slots.giveBack();
  slots.giveBack();
  await Promise.all([slots.take(), slots.take()]);
  expect(got).toEqual([1, 2, 3, 4]);
});
