import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { keepWeeksOfLogs } from "./keep-weeks.ts";

withDatabase();

const newestOf = async (log: string) =>
  (await sql()<{ name: string }[]>`select max(inhrelid::regclass::text) as name from pg_inherits where inhparent = ${log}::regclass`)[0]
    ?.name ?? "";

const alerts = async () =>
  (await sql()<{ message: string }[]>`select message from alerts where type = 'logs.no_week'`).map(({ message }) => message);

test("operators are alerted once a day where the next week cannot be made, and the week is made once it can", async () => {
  const name = await newestOf("request_log");
  await sql()`drop table ${sql()(name)}`;
  await sql()`create table ${sql()(name)} (in_the_way int)`;
  for (let hour = 0; hour < 2; hour++) await expect(keepWeeksOfLogs()).rejects.toThrow(/already exists/);
  expect(await alerts()).toEqual([expect.stringContaining("The next week of the logs of requests and deliveries could not be made")]);
  await sql()`drop table ${sql()(name)}`;
  await keepWeeksOfLogs();
  expect(await newestOf("request_log")).toBe(name);
  expect(await alerts()).toHaveLength(1);
});
