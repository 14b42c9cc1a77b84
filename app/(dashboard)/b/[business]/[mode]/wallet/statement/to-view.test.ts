import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { nameOfMonth, toSums } from "./to-view.ts";

const sum = (count: number, major: number) => ({ count, amount: naira(major) });

test("a month is shown by its name and year", () => {
  expect(nameOfMonth("2026-11")).toBe("November 2026");
});

test("the sums by kind list money in and money out separately, and add up to the month's change", () => {
  const { types, ...totals } = toSums({
    ...{ in: sum(2, 5_100), out: sum(1, 200) },
    types: [
      { type: "payment_link", in: sum(1, 5_000), out: sum(0, 0) },
      { type: "vtu_airtime", in: sum(1, 100), out: sum(1, 200) },
    ],
  });
  expect(types.map(({ text, count, amount }) => [text, count, amount.minor])).toEqual([
    ["Payment received", 1, 500_000n],
    ["Airtime paid back", 1, 10_000n],
    ["Airtime bought", 1, -20_000n],
  ]);
  expect(types.reduce((total, { amount }) => total + amount.minor, 0n)).toBe(totals.in.minor - totals.out.minor);
});
