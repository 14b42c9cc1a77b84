import { expect, test } from "vitest";
import { BadRow, readAmount, readProductId } from "./read-cells.ts";

test.each([
  ["1500", 1_500],
  ["₦1,500.00", 1_500],
  ["１，５００．５", 1_500.5],
  ["٥٠٠٠", 5_000],
  ["NGN ۵۰۰۰", 5_000],
  ["\u202a1,500\u202c", 1_500],
  ["\u200b₦\u00a01 500\ufeff", 1_500],
])("the amount %j is %d Naira", (cell, naira) => {
  expect(readAmount(cell)).toBe(naira);
});

test.each(["", "-5", "\u22125", "1,500¹", "5⁰", "1.5.0", "1e3", "100…", "1,50", "½"])("%j is no amount", (cell) => {
  expect(() => readAmount(cell)).toThrow(BadRow);
});

test.each([
  ["42", 42],
  ["４２", 42],
  ["٤٢", 42],
  ["\u202a42\u202c", 42],
])("the plan id %j is %d", (cell, id) => {
  expect(readProductId(cell)).toBe(id);
});

test.each(["", "4 2", "4-2", "4²", "42.0", "12345678901"])("%j is no plan id", (cell) => {
  expect(() => readProductId(cell)).toThrow(BadRow);
});
