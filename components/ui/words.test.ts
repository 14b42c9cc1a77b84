import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import { partsOf } from "./amount.tsx";
import { initialsOf } from "./avatar.tsx";
import { exactTime, timeText } from "./time-text.ts";
import { truncateMiddle } from "./truncate-middle.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const ago = (ms: number) => timeText(new Date(NOW.getTime() - ms), NOW);

test("a time is told by its distance up to a day, and then by date and time in Lagos", () => {
  expect([0, 59_999, MINUTE_MS, 59 * MINUTE_MS, HOUR_MS, DAY_MS - 1].map(ago)).toEqual([
    "just now",
    "just now",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "23 h ago",
  ]);
  expect(ago(DAY_MS)).toBe("20 Nov, 13:00");
  expect(ago(400 * DAY_MS)).toBe("17 Oct 2025, 13:00");
});

test("a time in the future is shown by its distance from now", () => {
  expect([-1_000, -5 * MINUTE_MS, -3 * HOUR_MS].map(ago)).toEqual(["in a moment", "in 5 min", "in 3 h"]);
});

test("the year changes at midnight in Lagos, not at midnight in London", () => {
  const lateInLondon = new Date("2026-12-31T23:30:00Z");
  expect(timeText(lateInLondon, new Date("2027-01-05T12:00:00Z"))).toBe("1 Jan, 00:30");
  expect(timeText(new Date("2026-12-31T22:30:00Z"), new Date("2027-01-05T12:00:00Z"))).toBe("31 Dec 2026, 23:30");
});

test("the exact time has its seconds and names its zone", () => {
  expect(exactTime(new Date("2026-11-14T15:05:09Z"))).toBe("14 Nov 2026, 16:05:09 in Lagos (UTC+1)");
});

const shown = (...[amount]: Parameters<typeof partsOf>) => Object.values(partsOf(amount)).join("|");

test("an amount has separators, two decimals, a true minus, and a plus only where credits are told apart", () => {
  expect(shown({ minor: "500000", currency: "NGN" })).toBe("|₦5,000|.00");
  expect(shown({ minor: 500_000n, currency: "NGN", signed: true })).toBe("+|₦5,000|.00");
  expect(shown({ minor: -880n, currency: "USD", signed: true })).toBe("\u2212|$8|.80");
  expect(shown({ minor: "-5", currency: "NGN" })).toBe("\u2212|₦0|.05");
  expect(shown({ minor: 0n, currency: "NGN", signed: true })).toBe("|₦0|.00");
  expect(shown({ minor: "999999999999999", currency: "NGN" })).toBe("|₦9,999,999,999,999|.99");
});

test("an id loses its middle and keeps its prefix, and a short one stays whole", () => {
  expect(truncateMiddle("8fK2mPq7Lw4Tx9Q")).toBe("8fK2…w4Tx9Q");
  expect(truncateMiddle("card_8fK2mPq7Lw4Th7Q")).toBe("card_…w4Th7Q");
  expect(truncateMiddle("8fK2mPq")).toBe("8fK2mPq");
});

test("initials are letters as a reader sees them", () => {
  expect(["Ada Okafor", "Ada", "Ada Ngozi Okafor", " ", "ọ\u0301látúnjí adé"].map(initialsOf)).toEqual(["AO", "A", "AO", "", "Ọ\u0301A"]);
});
