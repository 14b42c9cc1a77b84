import fc from "fast-check";
import { expect, test } from "vitest";
import { daysOf, matcherOf, nameOfDays, searchTextOf } from "./plan-search.ts";

const plan = (name: string, size: string | null, validity: string | null, naira: number) =>
  searchTextOf({ name, size, validity, price: BigInt(naira * 100) });

const SME = plan("MTN 1GB SME, 30 days", "1GB", "30 days", 600);
const BIG = plan("MTN 11GB SME, 30 days", "11GB", "30 days", 1_600);
const WEEK = plan("MTN 2.5GB Gifting, 2 days", "2.5GB", "2 days", 900);

test.each(["1gb", "1 GB", "600", "₦600", "30 days", "30days", "monthly", "sme 1gb", "mtn 600 30", ""])(
  "%j finds the plan of 1GB for ₦600",
  (search) => {
    expect(matcherOf(search)(SME)).toBe(true);
  },
);

test.each(["1gb", "600", "1gb sme"])("%j does not find the plan of 11GB for ₦1,600, whose words only contain it", (search) => {
  expect(matcherOf(search)(BIG)).toBe(false);
});

test("prices are found with and without a comma, sizes with their decimals", () => {
  expect(matcherOf("1,600")(BIG)).toBe(true);
  expect(matcherOf("1600")(BIG)).toBe(true);
  expect(matcherOf("2.5")(WEEK)).toBe(true);
  expect(matcherOf("daily")(WEEK)).toBe(true);
  expect(matcherOf("gifting 1gb")(WEEK)).toBe(false);
});

test("a plan without size or days is found by its name", () => {
  expect(matcherOf("compact 19000")(plan("DStv Compact", null, "1 month", 19_000))).toBe(true);
  expect(matcherOf("waec")(plan("WAEC result checker", null, null, 3_900))).toBe(true);
});

test("no text that people type breaks the search, and each word of a plan's name finds it", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => typeof matcherOf(text)(SME) === "boolean"));
  for (const word of "MTN 1GB SME, 30 days".split(" ")) expect(matcherOf(word)(SME)).toBe(true);
});

test.each([
  ["1 day", 1, "daily"],
  ["7 days", 7, "weekly"],
  ["2 weeks", 14, "weekly"],
  ["30 days", 30, "monthly"],
  ["1 month", 30, "monthly"],
  ["3 months", 90, "longer"],
  ["1 year", 365, "longer"],
  ["while it lasts", undefined, "other"],
  [null, undefined, "other"],
])("%j is %s days: %s", (validity, days, name) => {
  expect(daysOf(validity)).toBe(days);
  expect(nameOfDays(days)).toBe(name);
});
