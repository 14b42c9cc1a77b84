import fc from "fast-check";
import { expect, test } from "vitest";
import { nextWaitMs, retryAfterMs } from "./retry-table.ts";

const TABLE_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const DAY_MS = 86_400_000;

test("a wait is never shorter than the table, at most a fifth longer, and there are nine", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (tries, random) => {
      const wait = nextWaitMs(tries, 0, random) ?? Number.NaN;
      const tableMs = (TABLE_S[tries - 1] ?? 0) * 1_000;
      expect(wait).toBeGreaterThanOrEqual(tableMs);
      expect(wait).toBeLessThanOrEqual(tableMs * 1.2);
    }),
  );
  expect(nextWaitMs(10)).toBeUndefined();
});

test("an endpoint that asks for more gets it, up to a day, and never less than the table", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 10 * DAY_MS }), (tries, asked) => {
      const wait = nextWaitMs(tries, asked, 0) ?? Number.NaN;
      expect(wait).toBe(Math.max((TABLE_S[tries - 1] ?? 0) * 1_000, Math.min(asked, DAY_MS)));
    }),
  );
});

test("Retry-After is seconds or an HTTP date, and nothing else", () => {
  const now = Date.UTC(2026, 10, 21, 8, 0, 0);
  expect(retryAfterMs("120", now)).toBe(120_000);
  expect(retryAfterMs(["60", "9"], now)).toBe(60_000);
  expect(retryAfterMs("Sat, 21 Nov 2026 08:00:30 GMT", now)).toBe(30_000);
  expect(retryAfterMs("Sat, 21 Nov 2026 07:00:00 GMT", now)).toBe(0);
  for (const nonsense of [undefined, "", "soon", "-5", "1.5", "2026-11-21", "1e9", "99999999999999"])
    expect(retryAfterMs(nonsense, now)).toBe(0);
});
