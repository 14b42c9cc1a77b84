import { expect, test } from "vitest";
import { readSettings } from "#lib/env.ts";
import { describeStart } from "./describe-start.ts";

const base = { DATABASE_URL: "postgres://u:p@localhost/oja", OJA_SECRET_KEY: "x".repeat(32) };
const linesOf = (given: Record<string, string>, word: string) =>
  describeStart(readSettings({ ...base, ...given }), undefined)
    .split("\n")
    .filter((line) => line.includes(word));
const OWN_MACHINE = { OJA_MAILBOX_KEY: "k".repeat(32) };

test("the start says in one line that mails are not sent, if there is no SMTP_URL and no mailbox", () => {
  expect(linesOf({}, "SMTP_URL")).toHaveLength(1);
  expect(linesOf({ ...OWN_MACHINE, BASE_URL: "https://pay.example.com" }, "SMTP_URL")).toHaveLength(1);
  expect(linesOf(OWN_MACHINE, "SMTP_URL")).toEqual([]);
  expect(linesOf({ SMTP_URL: "smtps://mail.example.com" }, "SMTP_URL")).toEqual([]);
});

test("the start names the mailbox only with the built-in database, a local address and no mail server", () => {
  expect(linesOf(OWN_MACHINE, "/mailbox")).toHaveLength(1);
  expect(linesOf({}, "/mailbox")).toEqual([]);
  for (const changed of [
    { BASE_URL: "http://192.168.1.4:3000" },
    { DASHBOARD_URL: "https://d.example.com" },
    { SMTP_URL: "smtps://m.example" },
  ]) {
    expect(linesOf({ ...OWN_MACHINE, ...changed }, "/mailbox")).toEqual([]);
  }
});
