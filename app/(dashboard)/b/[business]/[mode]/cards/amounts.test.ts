import { expect, test } from "vitest";
import { dollars, money } from "#lib/money.ts";
import { dollarsText, nairaText, obstacleTo, rateText, typedDollars } from "./amounts.ts";

test("dollars are read as people type and paste them, and any other text gives no amount", () => {
  for (const text of ["1250.5", "$1,250.50", " 1 250.50 "]) expect(typedDollars(text)).toEqual(money(125_050n, "USD"));
  for (const text of ["", "12.345", "1e3", "-5", "five", "₦50", "1.2.3", "999999999"]) expect(typedDollars(text)).toBeUndefined();
});

test("numbers of the API are shown with separators and two decimals, and rates with up to four", () => {
  expect(dollarsText(0.1 + 0.2)).toBe("$0.30");
  expect(nairaText(81_600)).toBe("₦81,600.00");
  expect(rateText(1600)).toBe("1,600.00");
  expect(rateText(1600.1234)).toBe("1,600.1234");
});

test("the form says that the API would refuse an amount before the amount is sent", () => {
  expect(obstacleTo("fund", money(99n, "USD"), dollars(0))).toBe("Enter at least $1.00.");
  expect(obstacleTo("fund", dollars(10_000.01), dollars(0))).toBe("Enter at most $10,000.00.");
  expect(obstacleTo("fund", dollars(10_000), dollars(0))).toBeUndefined();
  expect(obstacleTo("unload", dollars(5.01), dollars(5))).toBe("The card holds $5.00. Enter at most that.");
  expect(obstacleTo("unload", dollars(5), dollars(5))).toBeUndefined();
});
