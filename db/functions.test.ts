import { beforeEach, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { installFunctions, sqlFunctions } from "#db/functions.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase(async () => {});

const aFunction = (name: string, text: string) => ({ name, text: `create function ${text}`, hash: text });
const one = (answer: number) => aFunction("one", `one() returns int language sql as $$ select ${answer} $$`);
const two = aFunction("two", "two() returns int language sql as $$ select one() + one() $$");

beforeEach(() => installFunctions(sql(), []));

/** Returns the signatures of those functions that are in place. */
const signatures = async (...names: string[]) =>
  (await sql()`select oid::regprocedure::text as it from pg_proc where proname = any(${names}) order by 1`).map(({ it }) => it);

test("functions are put in place, also one that calls one of a later file", async () => {
  await installFunctions(sql(), [{ ...two, name: "two" }, one(1)]);
  expect(await sql()`select two() as it`).toMatchObject([{ it: 2 }]);
});

test("a function whose file has changed is replaced, and one whose file has not stays as it is", async () => {
  await installFunctions(sql(), [one(1), two]);
  const oid = async (name: string) => (await sql()`select oid from pg_proc where proname = ${name}`)[0]?.oid;
  const before = [await oid("one"), await oid("two")];
  await installFunctions(sql(), [one(5), two]);
  expect(await sql()`select two() as it`).toMatchObject([{ it: 10 }]);
  const after = [await oid("one"), await oid("two")];
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
});

test("a changed signature drops the old one, and a file that is gone drops its function", async () => {
  await installFunctions(sql(), [one(1), two]);
  await installFunctions(sql(), [aFunction("one", "one(p_what text) returns text language sql as $$ select p_what $$")]);
  expect(await signatures("one", "two")).toEqual(["one(text)"]);
});

test("a function that cannot be made leaves all functions as they were", async () => {
  await installFunctions(sql(), [one(1)]);
  await expect(installFunctions(sql(), [one(2), aFunction("two", "two() returns nonsense language sql as ''")])).rejects.toThrow(
    /nonsense/,
  );
  expect(await sql()`select one() as it`).toMatchObject([{ it: 1 }]);
});

test("each file has one function, which has the file's name", () => {
  for (const { name, text } of sqlFunctions()) {
    expect(text.match(/create (?:or replace )?function (\w+)/g), name).toEqual([`create function ${name}`]);
  }
});

test("`later` adds milliseconds as the operator does, in a time zone whose clocks change too", async () => {
  await installFunctions(
    sql(),
    sqlFunctions().filter(({ name }) => name === "later"),
  );
  await sql().begin(async (tx) => {
    await tx`set local time zone 'Europe/Berlin'`;
    const rows = await tx`
      select t, ms from generate_series('2026-03-28 20:00Z'::timestamptz, '2026-03-29 04:00Z', '20 minutes') t, unnest(array[0, 1, 11000, 86400000]::bigint[]) ms
      where later(t, ms) <> t + ms * interval '1 ms' or later(t, ms) - t <> ms * interval '1 ms'`;
    expect(rows).toEqual([]);
    expect(await tx`select later(null, 1) as never`).toEqual([{ never: null }]);
  });
});
