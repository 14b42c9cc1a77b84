import { expect, test } from "vitest";
import { plainDigits } from "./plain-digits.ts";

test.each([
  "123456",
  "123 456",
  "123-456",
  "123\u2011456",
  "123\u2013456",
  "\u202a123456\u202c",
  "\u200e123\u00a0456\ufeff",
  "١٢٣٤٥٦",
  "۱۲۳۴۵۶",
  "１２３４５６",
])("%j is the code 123456", (typed) => {
  expect(plainDigits(typed)).toBe("123456");
});

test.each(["12345⁶", "12345O", "123.456"])("%j is not", (typed) => {
  expect(plainDigits(typed)).not.toBe("123456");
});
