import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "#lib/time.ts";
import { MAX_JITTER, RETRY_WAITS_S } from "../webhooks.fixture.ts";
import { nextWaitMs, retryAfterMs } from "./retry-table.ts";

const failedAttempts = fc.integer({ min: 1, max: RETRY_WAITS_S.length });
const tableMs = (tries: number) => (RETRY_WAITS_S[tries - 1] ?? Number.NaN) * 1_000;

test("after each of nine failed attempts, the wait is as long as the table says or up to a fifth longer", () => {
  fc.assert(
    fc.property(failedAttempts, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (tries, random) => {
      const wait = nextWaitMs(tries, 0, random) ?? Number.NaN;
      expect(wait).toBeGreaterThanOrEqual(tableMs(tries));
      expect(wait).toBeLessThanOrEqual(tableMs(tries) * (1 + MAX_JITTER));
    }),
  );
  expect(nextWaitMs(RETRY_WAITS_S.length + 1)).toBeUndefined();
});

test("a wait is at least the table's, and longer if the endpoint asks for more, up to a day", () => {
  fc.assert(
    fc.property(failedAttempts, fc.nat({ max: 10 * DAY_MS }), (tries, asked) => {
      const wait = nextWaitMs(tries, asked, 0) ?? Number.NaN;
      expect(wait).toBe(Math.max(tableMs(tries), Math.min(asked, DAY_MS)));
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
