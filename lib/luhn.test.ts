import fc from "fast-check";
import { expect, test } from "vitest";
import { containsCardNumber, luhnDigit } from "./luhn.ts";

test.each([
  ["424242424242424", 2],
  ["555555555555444", 4],
  ["7992739871", 3],
])("the digit after %s is %i", (digits, digit) => {
  expect(luhnDigit(digits)).toBe(digit);
});

test("a card number is found anywhere in a text, with or without separators", () => {
  const around = fc.constantFrom("", "x", " ", "card: ");
  const body = fc.stringMatching(/^[1-9]\d{11,17}$/);
  fc.assert(
    fc.property(around, body, fc.constantFrom("", " ", "-"), (text, digits, separator) => {
      const number = `${digits}${luhnDigit(digits)}`;
      expect(containsCardNumber(`${text}${number.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`)}`)).toBe(true);
    }),
  );
});

test.each(["", "Ads", "Order 1042", "0803 123 4567", "4242 4242 4242 4241", "2026-11-21"])("%j has no card number", (text) => {
  expect(containsCardNumber(text)).toBe(false);
});
