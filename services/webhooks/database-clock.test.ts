import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DatabaseClock } from "./database-clock.ts";

let nowMs = 0;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => vi.restoreAllMocks());

/** A clock that has heard the database's time once: it is 1,000,000 ms ahead of `performance.now()`. */
function aClock(): DatabaseClock {
  const clock = new DatabaseClock();
  clock.observe(1_000_000, 0, 0);
  return clock;
}

/** What the clock says after an answer that the database gave `saidAfterMs` after the question, and that was read `readAfterMs` after it. */
function timeAfter(clock: DatabaseClock, { saidAfterMs, readAfterMs }: { saidAfterMs: number; readAfterMs: number }): number {
  const askedAtMs = 10_000;
  nowMs = askedAtMs + readAfterMs;
  clock.observe(1_000_000 + askedAtMs + saidAfterMs, askedAtMs, nowMs);
  return clock.now().getTime();
}

test("an answer that a busy process reads seconds later leaves the clock as it is", () => {
  expect(timeAfter(aClock(), { saidAfterMs: 1, readAfterMs: 5_000 })).toBe(1_015_000);
});

test("an answer that the database gives seconds later leaves the clock as it is", () => {
  expect(timeAfter(aClock(), { saidAfterMs: 5_000, readAfterMs: 5_001 })).toBe(1_015_001);
});

test("a clock of the database that was set is followed, forward and back", () => {
  for (const byMs of [3_600_000, -3_600_000]) {
    expect(timeAfter(aClock(), { saidAfterMs: byMs, readAfterMs: 0 })).toBe(1_010_000 + byMs);
  }
});
