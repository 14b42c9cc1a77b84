import fc from "fast-check";
import { expect, test } from "vitest";
import { accountNumberFrom, nubanCheckDigit, SANDBOX_BANK_CODE } from "./nuban.ts";

test("the check digit equals that of the Central Bank's own example", () => {
  // CBN's NUBAN standard: bank 011, serial 000001457, check digit 9.
  expect(nubanCheckDigit("011", "000001457")).toBe(9);
});

test("every account number has ten digits: its serial and a valid check digit", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999n }), (serial) => {
      const number = accountNumberFrom(serial);
      expect(number).toMatch(/^\d{10}$/);
      expect(BigInt(number.slice(0, 9))).toBe(serial);
      expect(number.at(-1)).toBe(String(nubanCheckDigit(SANDBOX_BANK_CODE, number.slice(0, 9))));
    }),
  );
});

test("a change of one digit changes the check digit", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.nat(8), fc.integer({ min: 1, max: 9 }), (serial, place, by) => {
      const digits = [...accountNumberFrom(serial).slice(0, 9)];
      digits[place] = String((Number(digits[place]) + by) % 10);
      expect(nubanCheckDigit(SANDBOX_BANK_CODE, digits.join(""))).not.toBe(Number(accountNumberFrom(serial).at(-1)));
    }),
  );
});
