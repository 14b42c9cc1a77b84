import { expect, test } from "vitest";
import { type Sql, sql } from "#db/client.ts";
import { makeWeeks } from "#db/weeks.ts";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { applyMigration, migrations } from "./migrations.fixture.ts";

/** The Monday after next, as midnight in UTC. */
function mondayAfterNext(): Date {
  const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  return new Date(today.getTime() + (15 - (today.getUTCDay() || 7)) * DAY_MS);
}

const YESTERDAY = new Date(Date.now() - DAY_MS - 1);
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

const writeRequest = (query: Sql, id: string) => query`
  insert into request_log (merchant_id, id, caller, api_key_id, method, path, status, duration_ms, client_address)
  values ('mer_a', ${id}, 'key', 'key_a', 'GET', '/', 422, 1, '203.0.113.1')`;

const writeAttempt = (query: Sql, startedAt: Date, number = 1) => query`
  insert into webhook_attempts (merchant_id, delivery_id, number, url, request_headers, started_at, duration_ms, response_status)
  values ('mer_a', 'dlv_a', ${number}, 'https://shop.example', '{}', ${startedAt.toISOString()}, 1, 200)`;

/** A database of the version before, with rows, that is then brought to the newest. */
withDatabase(async (empty) => {
  for (const file of migrations()) {
    if (file.startsWith("0007")) {
      for (const days of [100, 1]) {
        await writeRequest(empty, leastIdAt("request", daysAgo(days).getTime()));
        await writeAttempt(empty, daysAgo(days), days);
      }
      // The same attempt, as it was stored twice now and then, and rows of a process whose clock was ahead.
      await writeAttempt(empty, YESTERDAY, 2);
      await writeAttempt(empty, YESTERDAY, 3);
      await writeRequest(empty, leastIdAt("request", daysAgo(-40).getTime()));
      await writeAttempt(empty, daysAgo(-40), 40);
    }
    await applyMigration(empty, file);
  }
});

const partitionsOf = async (log: string): Promise<Record<string, number>> => {
  const rows = await sql()<
    { name: string; rows: number }[]
  >`select tableoid::regclass::text as name, count(*)::int as rows from ${sql()(log)} group by 1 order by 1`;
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
};

test("logs that were one table keep their rows in their first week, and the next row after it has the next week", async () => {
  const monday = mondayAfterNext();
  const nameOf = (log: string, at: Date) => `${log}_until_${at.toISOString().slice(0, 10).replaceAll("-", "")}`;
  await makeWeeks(sql());
  await writeRequest(sql(), `${leastIdAt("request", monday.getTime() - 1)}ZZZZZZZZZZZZZZZZ`);
  await writeRequest(sql(), leastIdAt("request", monday.getTime()));
  await writeAttempt(sql(), new Date(monday.getTime() - 1));
  await writeAttempt(sql(), monday);
  const after = new Date(monday.getTime() + 7 * DAY_MS);
  expect(await partitionsOf("request_log")).toEqual({ [nameOf("request_log", monday)]: 3, [nameOf("request_log", after)]: 1 });
  expect(await partitionsOf("webhook_attempts")).toEqual({
    [nameOf("webhook_attempts", monday)]: 4,
    [nameOf("webhook_attempts", after)]: 1,
  });
});

test("of an attempt that was stored twice, the first stays", async () => {
  expect(await sql()`select number from webhook_attempts where started_at = ${YESTERDAY.toISOString()}`).toEqual([{ number: 2 }]);
});

test("the indexes of the first week are those of the log", async () => {
  const [row] = await sql()<{ alone: number }[]>`
    select count(*)::int as alone from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname similar to '(request_log|webhook_attempts)%' and c.relkind = 'i'
      and not exists (select from pg_inherits h where h.inhrelid = c.oid)`;
  expect(row).toEqual({ alone: 0 });
});

test("a second row with the same key is refused, also in the first week", async () => {
  await expect(writeAttempt(sql(), mondayAfterNext())).rejects.toThrow(/webhook_attempts_.*pkey/);
  await expect(writeRequest(sql(), leastIdAt("request", mondayAfterNext().getTime()))).rejects.toThrow(/request_log_.*pkey/);
});
