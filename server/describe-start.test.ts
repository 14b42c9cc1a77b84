import { expect, test } from "vitest";
import { readSettings } from "#lib/env.ts";
import { describeStart } from "./describe-start.ts";

test("the start says in one line that mails are not sent, if there is a database of one's own and no SMTP_URL", () => {
  const base = { DATABASE_URL: "postgres://u:p@localhost/oja", OJA_SECRET_KEY: "x".repeat(32) };
  const linesOf = (given: Record<string, string>, hasBuiltInDatabase: boolean) =>
    describeStart(readSettings({ ...base, ...given }), { demo: undefined, hasBuiltInDatabase })
      .split("\n")
      .filter((line) => line.includes("SMTP_URL"));
  expect(linesOf({}, false)).toHaveLength(1);
  expect(linesOf({}, true)).toEqual([]);
  expect(linesOf({ SMTP_URL: "smtps://mail.example.com" }, false)).toEqual([]);
});
