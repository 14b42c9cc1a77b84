import { expect, test } from "vitest";
import { compactNumber, typedText } from "./typed-text.ts";

test.each([
  ["\u202a0803 123 4567\u202c", "0803 123 4567"],
  ["\u2066\u200e0803\u20691234567\ufeff", "08031234567"],
  ["٠٨٠٣١٢٣٤٥٦٧", "08031234567"],
  ["۰۸۰۳۱۲۳۴۵۶۷", "08031234567"],
  ["０８０３１２３４５６７", "08031234567"],
  ["0803\u2011123\u22124567", "0803-123-4567"],
  ["\u00a00803\u00ad1234567 ", "08031234567"],
  ["４５０３\u200bＡ", "4503A"],
  // A footnote is no digit.
  ["1,500¹", "1,500¹"],
  ["０8031②", "08031②"],
])("%j is read as %s", (typed, expected) => {
  expect(typedText(typed)).toBe(expected);
});

test("a number of a meter is read without spaces and hyphens, in capitals", () => {
  expect(compactNumber(" 4503–123 45a\u200f ")).toBe("450312345A");
});
