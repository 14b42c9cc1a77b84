import { expect, test } from "vitest";
import { times } from "#testing/until.ts";
import { Batches } from "./batches.ts";

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

test("items added while a batch runs are run together in the next batches, in order, each with its own result", async () => {
  const batches: number[][] = [];
  const run = async (_lane: string, items: number[]) => {
    batches.push(items);
    await nextTick();
    return items.map((item) => item * 2);
  };
  const lanes = new Batches(run, { most: 3, isAboutAnItem: () => true });
  expect(await Promise.all(times(6, (n) => lanes.add("a", n)))).toEqual([0, 2, 4, 6, 8, 10]);
  expect(batches).toEqual([[0], [1, 2, 3], [4, 5]]);
  expect(await lanes.add("a", 7)).toBe(14);
});

test("lanes do not wait for each other", async () => {
  const started: string[] = [];
  const blocked = Promise.withResolvers<void>();
  const run = async (lane: string, items: number[]) => {
    started.push(lane);
    if (lane === "slow") await blocked.promise;
    return items;
  };
  const lanes = new Batches(run, { most: 3, isAboutAnItem: () => true });
  const slow = lanes.add("slow", 1);
  expect(await lanes.add("quick", 2)).toBe(2);
  blocked.resolve();
  expect(await slow).toBe(1);
  expect(started).toEqual(["slow", "quick"]);
});

test("a batch that fails because of one item is run again item by item, and any other failure rejects the whole batch once", async () => {
  let runs = 0;
  const run = async (_lane: string, items: string[]) => {
    runs++;
    await nextTick();
    for (const bad of ["bad", "server"]) if (items.includes(bad)) throw new Error(bad);
    return items;
  };
  const lanes = new Batches(run, { most: 10, isAboutAnItem: (error) => error instanceof Error && error.message === "bad" });
  const outcomes = await Promise.allSettled(["first", "good", "bad", "fine"].map((item) => lanes.add("a", item)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(runs).toBe(1 + 1 + 3);
  runs = 0;
  const broken = await Promise.allSettled(["first", "good", "server", "fine"].map((item) => lanes.add("b", item)));
  expect(broken.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  expect(runs).toBe(2);
});
