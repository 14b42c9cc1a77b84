import { expect, test } from "vitest";
import { ALL_PERMISSIONS } from "#services/api-keys/contract.ts";
import { permissionsInWords, wordsOf } from "./permissions-in-words.ts";

const live = ALL_PERMISSIONS.filter((permission) => permission !== "test:write");

test.each([
  [ALL_PERMISSIONS, "Everything"],
  [live.filter((permission) => permission !== "cards:reveal"), "Everything but see card numbers"],
  [["checkout:read", "wallet:read", "events:read"], "Only see, 3 areas"],
  [["checkout:write"], "Create payment links"],
  [["wallet:read"], "See the wallet, bank accounts and payouts"],
  [["checkout:write", "checkout:read", "wallet:read"], "Create payment links and 2 more"],
])("%j in live mode is %s", (permissions, words) => {
  expect(permissionsInWords(permissions, live)).toBe(words);
});

test("a permission without words keeps its name", () => {
  expect(wordsOf("moon:write")).toBe("moon:write");
});
