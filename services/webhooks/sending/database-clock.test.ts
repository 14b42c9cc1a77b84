import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DatabaseClock } from "./database-clock.ts";

const AHEAD_MS = 1_000_000;
const ASKED_AT_MS = 10_000;

let nowMs = 0;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => vi.restoreAllMocks());

/** Returns a clock after one observation: the database is `AHEAD_MS` ahead of `performance.now()`. */
function aClock(): DatabaseClock {
  const clock = new DatabaseClock();
  clock.observe(AHEAD_MS, 0, 0);
  return clock;
}

/** Returns the clock's time after one question. The database answers it `toldAfterMs` later, and we read the answer `readAfterMs` later. */
function timeAfter(clock: DatabaseClock, { toldAfterMs, readAfterMs }: { toldAfterMs: number; readAfterMs: number }): number {
  nowMs = ASKED_AT_MS + readAfterMs;
  clock.observe(AHEAD_MS + ASKED_AT_MS + toldAfterMs, ASKED_AT_MS, nowMs);
  return clock.now().getTime();
}

test("an answer that a busy process reads seconds later leaves the clock as it is", () => {
  expect(timeAfter(aClock(), { toldAfterMs: 1, readAfterMs: 5_000 })).toBe(AHEAD_MS + ASKED_AT_MS + 5_000);
});

test("an answer that the database gives seconds later leaves the clock as it is", () => {
  expect(timeAfter(aClock(), { toldAfterMs: 5_000, readAfterMs: 5_001 })).toBe(AHEAD_MS + ASKED_AT_MS + 5_001);
});

test("the clock follows a database clock that was set forward or back", () => {
  for (const byMs of [3_600_000, -3_600_000]) {
    expect(timeAfter(aClock(), { toldAfterMs: byMs, readAfterMs: 0 })).toBe(AHEAD_MS + ASKED_AT_MS + byMs);
  }
});
