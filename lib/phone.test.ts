import fc from "fast-check";
import { expect, test } from "vitest";
import { toE164, toNigerianMobile } from "./phone.ts";

test.each([
  ["08031234567", "+2348031234567"],
  ["0803 123 4567", "+2348031234567"],
  ["2348031234567", "+2348031234567"],
  ["+234 803-123-4567", "+2348031234567"],
  ["+234 (0) 803 123 4567", "+2348031234567"],
  ["002348031234567", "+2348031234567"],
  ["09112345678", "+2349112345678"],
  ["+2342012345678", "+2342012345678"],
  ["02012345678", "+2342012345678"],
  ["0201 234 5678", "+2342012345678"],
  ["8031234567", "+2348031234567"],
  ["803 123 4567", "+2348031234567"],
  ["+23408031234567", "+2348031234567"],
  ["2340803 123 4567", "+2348031234567"],
  ["tel:+2348031234567", "+2348031234567"],
  ["\u202a+234 803 123 4567\u202c", "+2348031234567"],
  ["\u2068 0803\u200b1234567\u2069", "+2348031234567"],
  ["٠٨٠٣١٢٣٤٥٦٧", "+2348031234567"],
  ["０８０３１２３４５６７", "+2348031234567"],
  ["+44 20 7946 0958", "+442079460958"],
])("%s is %s", (text, expected) => {
  expect(toE164(text)).toBe(expected);
});

test.each([
  "",
  "0803123456",
  "080312345678",
  "06031234567",
  "+234803123456",
  "+23480312345678",
  "+2346031234567",
  "+23412345678",
  "2012345678",
  "+0803123456",
  "+1234",
  "+1234567890123456",
  "phone",
  "+234803123456x",
  "0803123456²",
  // As a program writes a number that it holds as a decimal, with a digit too few and with all.
  "803123456.0",
  "0803123456.0",
  "8031234567.0",
  // Virginia's area code looks like a prefix of ours.
  "(703) 456-2211",
])("%j is no phone number", (text) => {
  expect(toE164(text)).toBeUndefined();
});

test("a number that was read is read again as itself, and a +234 number has ten more digits", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 6, maxLength: 14 });
  const pieces = fc.tuple(fc.constantFrom("", "0", "+", "+234", "234", "00234", "+2340"), digits, fc.constantFrom("", "\u200e", " ", "-"));
  fc.assert(
    fc.property(pieces, ([start, rest, mark]) => {
      const phone = toE164(`${mark}${start}${mark}${rest}`);
      if (phone === undefined) return;
      expect(toE164(phone)).toBe(phone);
      expect(phone).toMatch(/^\+(?:234(?:70|80|81|90|91|20)\d{8}|(?!234)[1-9]\d{6,14})$/);
      const mobile = toNigerianMobile(phone);
      if (mobile !== undefined) expect(mobile).toBe(phone);
    }),
    { numRuns: 2_000 },
  );
});
