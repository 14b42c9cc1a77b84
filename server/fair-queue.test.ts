import { expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const LIMITS = { maxActive: 2, maxWaiting: 3 };

test("a lane starts as many requests as may be active, starts waiting ones in order of arrival, and refuses more than may wait", async () => {
  const queue = new FairQueue();
  const started: string[] = [];
  const enter = (lane: string, name: string) => queue.enter(lane, LIMITS, () => void started.push(name));
  expect(["a", "b", "c", "d", "e", "f"].map((name) => enter("one", name))).toEqual([true, true, true, true, true, false]);
  expect(started).toEqual(["a", "b"]);
  expect(enter("other", "x")).toBe(true);
  expect(started).toEqual(["a", "b", "x"]);
  for (let i = 0; i < 5; i++) {
    queue.leave("one");
    await new Promise((done) => setImmediate(done));
  }
  expect(started).toEqual(["a", "b", "x", "c", "d", "e"]);
  expect(["g", "h", "i"].map((name) => enter("one", name))).toEqual([true, true, true]);
  expect(started.slice(6)).toEqual(["g", "h"]);
});

test("a released owner's waiting requests start at once, and requests of other owners go on waiting", async () => {
  const queue = new FairQueue();
  const started: string[] = [];
  const limits = { maxActive: 1, maxWaiting: 100 };
  for (const name of ["a1", "b1", "a2", "b2", "a3"]) queue.enter("lane", limits, () => void started.push(name), name.charAt(0));
  queue.release("lane", "a");
  await new Promise((done) => setImmediate(done));
  expect(started).toEqual(["a1", "a2", "a3"]);
  for (const expected of [["b1"], ["b1", "b2"], ["b1", "b2"], ["b1", "b2"], ["b1", "b2"]]) {
    queue.leave("lane");
    await new Promise((done) => setImmediate(done));
    expect(started.slice(3)).toEqual(expected);
  }
  // The lane is empty again and starts the next request at once.
  expect(queue.enter("lane", limits, () => void started.push("c"))).toBe(true);
  expect(started.at(-1)).toBe("c");
});
