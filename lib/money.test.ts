import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney, money, naira, toMajorNumber, toMinorUnits, toPlainDigits } from "./money.ts";

const kobo = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n });

test("any amount that the API can express is converted in and out unchanged", () => {
  fc.assert(
    fc.property(kobo, (minor) => {
      expect(toMinorUnits(toMajorNumber(money(minor, "NGN")))).toBe(minor);
    }),
    { numRuns: 2_000 },
  );
});

test("a number with more than two decimals is never rounded to an amount", () => {
  const threeDecimals = fc
    .tuple(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 1, max: 9 }))
    .map(([whole, digit]) => Number(`${whole}.12${digit}`));
  fc.assert(
    fc.property(threeDecimals, (value) => {
      expect(toMinorUnits(value)).toBeUndefined();
    }),
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, -0.01, 1e21, 0.001, 1e-7])("%s is no amount", (value) => {
  expect(toMinorUnits(value)).toBeUndefined();
  expect(() => naira(value)).toThrow(RangeError);
});

test("money beyond the exact numbers of JSON is refused, not rounded", () => {
  expect(() => toMajorNumber(money(10n ** 15n, "NGN"))).toThrow(RangeError);
});

test.each([
  [naira(5_000), "₦5,000.00", "5000.00"],
  [naira(0.05), "₦0.05", "0.05"],
  [naira(10_000_000), "₦10,000,000.00", "10000000.00"],
  [money(-123_456n, "USD"), "-$1,234.56", "-1234.56"],
])("people get separators and a symbol, machines get digits alone: %o", (amount, forPeople, forMachines) => {
  expect(formatMoney(amount)).toBe(forPeople);
  expect(toPlainDigits(amount)).toBe(forMachines);
});
