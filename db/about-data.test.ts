import { sql as raw } from "drizzle-orm";
import { expect, test } from "vitest";
import { Problem } from "#lib/problem.ts";
import { withDatabase } from "#testing/database.ts";
import { connect, db, isAboutData, sql, transaction } from "./client.ts";

withDatabase();

const failureOf = async (run: () => PromiseLike<unknown>): Promise<unknown> =>
  run().then(
    () => undefined,
    (error) => error,
  );

test("an error that the data caused is about data, by each client and in a transaction", async () => {
  const statements = [
    () => sql()`select 1 / 0`,
    () => db().execute(raw`select 1 / 0`),
    () => transaction((tx) => tx.execute(raw`select 1 / 0`)),
    () => Promise.reject(new Error("ours")),
  ];
  for (const statement of statements) expect(isAboutData(await failureOf(statement))).toBe(true);
});

test.each(["ANSWER_TIMEOUT", "CONNECTION_CLOSED", "CONNECT_NO_PRIMARY", "EHOSTUNREACH", "ENOTFOUND", "EPIPE"])(
  "an error of the network is not about data: %s",
  (code) => {
    expect(isAboutData(Object.assign(new Error(code), { code }))).toBe(false);
    expect(isAboutData(new Error("a query failed", { cause: Object.assign(new Error(code), { code }) }))).toBe(false);
  },
);

test("a refusal of ours counts as an error about the data", () => {
  expect(isAboutData(new Problem("VALIDATION_ERROR", "Send an amount."))).toBe(true);
});

test("a statement that took too long, a server that is not there and a standby are not about data, by each client and in a transaction", async () => {
  const { sql: nowhere, db: nowhereDb } = connect("postgres://nobody@127.0.0.1:9/nothing", { max: 1 });
  const statements = [
    () => sql().begin(async (tx) => tx.unsafe("set local statement_timeout = 20; select pg_sleep(10)")),
    () =>
      transaction(async (tx) => {
        await tx.execute(raw`set local statement_timeout = 20`);
        await tx.execute(raw`select pg_sleep(10)`);
      }),
    () => sql().begin("read only", async (tx) => tx.unsafe("create table written_on_a_standby ()")),
    () => nowhere`select 1`,
    () => nowhereDb.execute(raw`select 1`),
  ];
  for (const statement of statements) {
    const failure = await failureOf(statement);
    expect(failure).toBeInstanceOf(Error);
    expect(isAboutData(failure)).toBe(false);
  }
  await nowhere.end({ timeout: 0 });
});
