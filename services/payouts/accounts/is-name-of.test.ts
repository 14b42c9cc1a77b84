import { expect, test } from "vitest";
import { isNameOf } from "./is-name-of.ts";

test.each([
  ["Ada's Shop", "ADAS SHOP"],
  ["Ada’s Shop Ltd", "ADAS SHOP LIMITED"],
  ["Two Bags Ventures", "VENTURES BAGS TWO"],
  ["Béla & Sons", "BELA AND SONS LTD"],
  ["Iṣẹ́ Ọwọ́", "OWO ISE PLC"],
])("%s and %s are the same business", (business, account) => {
  expect(isNameOf(business, account)).toBe(true);
});

test.each([
  ["Ada's Shop", "ADA OBI"],
  ["Ada's Shop", "ADAS SHOPS"],
  ["Ada's Shop", "ADAS SHOP LAGOS"],
  ["Ada's Shop Lagos", "ADAS SHOP"],
  ["Ada's Shop", "ADAS SHOP ENTERPRISES"],
  ["Shell Nigeria", "SHELL INTERNATIONAL SERVICES"],
  ["The Limited", "LIMITED"],
  ["OP Ltd", "OP"],
  ["", ""],
])("%s and %s may be different, so an operator decides", (business, account) => {
  expect(isNameOf(business, account)).toBe(false);
});
