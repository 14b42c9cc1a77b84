import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Filter } from "#components/page/filters.tsx";
import { naira } from "#lib/money.ts";
import { amountOf, askedOf, createdRangeOf } from "./asked.ts";

const FILTERS: Filter[] = [
  { kind: "choice", name: "status", label: "Any state", choices: [{ value: "paid", label: "Paid" }] },
  { kind: "days" },
  { kind: "amount", symbol: "₦" },
];
const asked = (given: Record<string, string | string[]>) => askedOf(given, FILTERS);
const NOON = new Date("2026-03-01T11:00:00Z");
const rangeOf = (given: Record<string, string>, now = NOON) => {
  const { created_after: after, created_before: before } = createdRangeOf(asked(given), now);
  return [after?.toISOString(), before?.toISOString()];
};

describe("the filters in the address of a list", () => {
  test("valid filters in an address are used, and invalid ones are named", () => {
    const { values, problem } = asked({
      status: "paid",
      days: "never",
      min: "1,000.50",
      max: "₦ 2,000",
      from: "2026-02-30",
      to: "0001-01-01",
      other: "x",
    });
    expect(values).toEqual({ status: "paid", min: "1000.50", max: "2000" });
    expect(problem).toContain("days, from, to.");
  });

  test("a filter given twice and a day in another notation are named; an empty filter and a name of Object.prototype are ignored", () => {
    expect(asked({ days: "", min: "  " })).toMatchObject({ values: {}, problem: undefined });
    expect(asked({ status: ["paid", "paid"] }).problem).toContain("does not know: status.");
    expect(asked({ from: "27/11/2026" }).problem).toContain("a day is written like 2026-11-27");
    expect(asked({ days: "constructor" }).values).toEqual({});
  });

  test("no text in an address makes the reading of its filters fail", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.array(fc.string()));
    fc.assert(
      fc.property(fc.record({ status: text, days: text, from: text, to: text, min: text, max: text, cursor: text }), (given) => {
        createdRangeOf(asked(given), NOON);
        amountOf(asked(given).values.min, "NGN");
      }),
    );
  });
});

describe("days", () => {
  test("begin and end at midnight in Lagos, and the last one is included", () => {
    expect(rangeOf({ from: "2026-02-27", to: "2026-02-28" })).toEqual(["2026-02-26T23:00:00.000Z", "2026-02-28T23:00:00.000Z"]);
    expect(rangeOf({ to: "2026-02-28" })).toEqual([undefined, "2026-02-28T23:00:00.000Z"]);
  });

  test("a period such as today begins with the day in Lagos, an hour before the day in UTC", () => {
    expect(rangeOf({ days: "today" }, new Date("2026-03-01T23:30:00Z"))).toEqual(["2026-03-01T23:00:00.000Z", undefined]);
    expect(rangeOf({ days: "7d" })).toEqual(["2026-02-22T23:00:00.000Z", undefined]);
    expect(rangeOf({ days: "month" })).toEqual(["2026-02-28T23:00:00.000Z", undefined]);
    expect(rangeOf({ days: "last-month" })).toEqual(["2026-01-31T23:00:00.000Z", "2026-02-28T23:00:00.000Z"]);
  });
});

test("an amount is exact, however many decimals it has", () => {
  expect([amountOf("1000.5", "NGN"), amountOf("0.07", "NGN"), amountOf(undefined, "NGN")]).toEqual([naira(1000.5), naira(0.07), undefined]);
});

test.each(["₦1,000.50", "１，０００．５０", "١٠٠٠.50", "\u202a1 000.50\u202c"])("the amount %j is read as people paste it", (min) => {
  expect(asked({ min }).values.min).toBe("1000.50");
});
