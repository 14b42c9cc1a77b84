import { expect, test } from "vitest";
import { nairaTyped } from "./naira-typed.ts";

test.each([
  ["5000", 500_000n],
  ["₦5,000.00", 500_000n],
  [" ₦ 5,000 ", 500_000n],
  ["NGN 1,234,567.8", 123_456_780n],
  ["N2 500", 250_000n],
  ["100.", 10_000n],
  ["0.5", 50n],
  ["٥٠٠٠", 500_000n],
  ["۵۰۰۰", 500_000n],
  ["５，０００．００", 500_000n],
  ["\u202a₦5,000\u202c", 500_000n],
  ["5\u200b000\ufeff", 500_000n],
])("%j is an amount", (text, minor) => {
  expect(nairaTyped(text)).toEqual({ minor, currency: "NGN" });
});

test.each(["", "₦", "5k", "1.234", "-5", "5.000.00", "$5", "1e3", "12345678901234", "5000¹", "\u22125"])(
  "%j is no amount in Naira",
  (text) => {
    expect(nairaTyped(text)).toBeUndefined();
  },
);
