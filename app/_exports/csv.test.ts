import { expect, test } from "vitest";
import { toE164 } from "#lib/phone.ts";
import { type Column, headOf, lagosTime, linesOf, metadataText, phoneText } from "./csv.ts";

const text: Column<string>[] = [["Text", (value) => value]];
const lineOf = (value: string) => linesOf(text, [value]);

test("a file begins with a byte order mark and its headings, and its lines end as Excel wants them", () => {
  expect(headOf(text)).toBe("\ufeffText\r\n");
  expect(linesOf(text, ["a", "b"])).toBe("a\r\nb\r\n");
  expect(linesOf(text, [])).toBe("");
});

test.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  " =1",
  "\u00a0+1",
  "\uff1d1",
  "\uff0b1",
  "\uff0d1",
  "\uff201",
  "=cmd|'/C calc'!A0",
])("text that a spreadsheet may calculate (%j) begins with an apostrophe", (formula) => {
  expect(lineOf(formula)).toMatch(/^"?'/);
  expect(lineOf(formula)).toContain(formula.replaceAll('"', '""'));
});

test.each(["0000000536", "0042", "45012345678901", "12e5", "1.5E+12"])(
  "a number that a spreadsheet would shorten (%s) begins with an apostrophe",
  (number) => {
    expect(lineOf(number)).toBe(`'${number}\r\n`);
  },
);

test.each([
  ["12345678901", "12345678901"],
  ["0", "0"],
  ["a, b", '"a, b"'],
  ['say "yes"', '"say ""yes"""'],
  ["one\ntwo", '"one\ntwo"'],
  ["one\r=two", '"one\r=two"'],
  ["Ọjà 🛒", "Ọjà 🛒"],
  ["a=b", "a=b"],
])("text stays as it is, and is quoted where it must be: %j", (given, wanted) => {
  expect(lineOf(given)).toBe(`${wanted}\r\n`);
});

test("amounts are plain digits with their minus, times have the offset of Lagos, and an absent value is an empty cell", () => {
  const row = { up: 1_234_567_89n, down: -5n, at: new Date("2026-11-14T23:05:09.999Z"), none: null, count: 3 };
  const columns: Column<typeof row>[] = [
    ["Up", ({ up }) => up],
    ["Down", ({ down }) => down],
    ["At", ({ at }) => at],
    ["None", ({ none }) => none],
    ["Count", ({ count }) => count],
  ];
  expect(linesOf(columns, [row])).toBe("1234567.89,-0.05,2026-11-15T00:05:09+01:00,,3\r\n");
  expect(new Date(lagosTime(row.at)).getTime()).toBe(row.at.getTime() - 999);
});

test("phone numbers are no formulas, keep their first 0, and are read back", () => {
  for (const [phone, shown] of [
    ["+2348031234567", "0803 123 4567"],
    ["+447911123456", "00 447911123456"],
    ["+233241234567", "00 233241234567"],
  ] as const) {
    expect(phoneText(phone)).toBe(shown);
    expect(lineOf(phoneText(phone))).toBe(`${shown}\r\n`);
    expect(toE164(shown)).toBe(phone);
  }
  expect(phoneText("45001234567")).toBe("45001234567");
});

test("metadata is one text in its cell, and a row without metadata has an empty cell", () => {
  expect(metadataText({})).toBeNull();
  expect(metadataText({ order: "=1" })).toBe('{"order":"=1"}');
});
