import fc from "fast-check";
import { expect, test } from "vitest";
import { initialOf, maskedName, plainText } from "./plain-text.ts";

test.each([
  ["Ada\u202eevil", "Adaevil"],
  ["a\u2066b\u2069c\u200f", "abc"],
  ["  two\nlines\t", "two lines"],
  ["nul\u0000and bell\u0007", "nuland bell"],
  ["half a pair \ud800", "half a pair \ufffd"],
  ["مطعم", "مطعم"],
  ["👩🏾‍🌾", "👩🏾‍🌾"],
])("%j is shown as %j", (text, expected) => {
  expect(plainText(text)).toBe(expected);
});

test("no text keeps a character that turns the text after it or breaks the line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(plainText(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f]/u);
    }),
  );
});

test.each([
  ["ada's kitchen", "A"],
  ["👩🏾‍🌾 farm", "👩🏾‍🌾"],
  ["ọjà", "Ọ"],
  ["\u202e", ""],
])("the initial of %j is %j", (text, expected) => {
  expect(initialOf(text)).toBe(expected);
});

test.each([
  ["Chidi Eze", "C••• E•••"],
  ["  ADAEZE   N. OKAFOR ", "A••• N••• O•••"],
  ["Ọlá", "Ọ•••"],
  ["👩🏾‍🌾 x", "👩🏾‍🌾••• x•••"],
  ["", ""],
])("the name %j is shown to others as %j", (name, masked) => {
  expect(maskedName(name)).toBe(masked);
});
