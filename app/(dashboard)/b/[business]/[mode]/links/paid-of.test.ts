import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { paidOf, paidRange } from "./paid-of.ts";

/** Half an hour after midnight in Lagos on 21 November. */
const NOW = new Date("2026-11-20T23:30:00Z");
const figure = (day: string, type: string, major: number, count = 1) => ({
  ...{ day, source: "event" as const, type, count },
  amount: naira(major),
});

test("the last 30 days begin 29 days before today in Lagos, and the 30 before that are compared with them", () => {
  expect(paidRange(NOW)).toEqual({ from: "2026-09-23", to: "2026-11-21" });
  const figures = [
    figure("2026-09-23", "checkout.success", 500),
    figure("2026-10-22", "checkout.success", 500),
    figure("2026-10-23", "checkout.success", 900, 2),
    figure("2026-11-21", "checkout.success", 600),
  ];
  expect(paidOf(figures, NOW)).toEqual({ amount: naira(1_500), count: 3, change: 50 });
});

test("a payment that a bank took back, other events and the wallet's own entries are not counted as paid", () => {
  const figures = [
    figure("2026-11-21", "checkout.success", 900, 2),
    figure("2026-11-21", "checkout.transfer_recalled", 400),
    figure("2026-11-21", "checkout.expired", 5_000),
    { ...figure("2026-11-21", "payment_link", 900), source: "wallet" as const },
  ];
  expect(paidOf(figures, NOW)).toEqual({ amount: naira(500), count: 1, change: undefined });
});

test("a month with less than the month before has a negative change", () => {
  const figures = [figure("2026-10-01", "checkout.success", 3_000), figure("2026-11-01", "checkout.success", 1_000)];
  expect(paidOf(figures, NOW).change).toBe(-67);
});
