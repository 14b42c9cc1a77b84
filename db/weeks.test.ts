import { expect, test } from "vitest";
import { connect, type Sql, sql } from "#db/client.ts";
import { dropOldWeeks, LOGS_KEPT_MS, makeWeeks } from "#db/weeks.ts";
import { settings } from "#lib/env.ts";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";

withDatabase();

const WEEK_MS = 7 * DAY_MS;

async function keepWeeks(at: Date) {
  await makeWeeks(sql(), at);
  return dropOldWeeks(sql(), at);
}

const inWeeks = (weeks: number): Date => new Date(Date.now() + weeks * WEEK_MS);

/** Writes a row of each log as of a time. */
async function writeBothAt(at: Date): Promise<void> {
  await sql()`
    insert into request_log (merchant_id, id, caller, api_key_id, method, path, status, duration_ms, client_address, created_at)
    values ('mer_a', ${leastIdAt("request", at.getTime())}, 'key', 'key_a', 'GET', '/', 200, 1, '203.0.113.1', ${at.toISOString()})`;
  await sql()`
    insert into webhook_attempts (merchant_id, delivery_id, number, url, request_headers, started_at, duration_ms, response_status)
    values ('mer_a', 'dlv_a', 1, 'https://shop.example', '{}', ${at.toISOString()}, 1, 200)`;
}

/** Returns the days of the rows in each log. */
async function daysOfBoth(): Promise<{ requests: string[]; attempts: string[] }> {
  const days = (rows: { day: string }[]) => rows.map(({ day }) => day);
  return {
    requests: days(await sql()<{ day: string }[]>`select created_at::date::text as day from request_log order by 1`),
    attempts: days(await sql()<{ day: string }[]>`select started_at::date::text as day from webhook_attempts order by 1`),
  };
}

const partitions = async (client: Sql = sql()): Promise<string[]> =>
  (
    await client<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent in ('request_log'::regclass, 'webhook_attempts'::regclass) order by 1`
  ).map(({ name }) => name);

test("rows of any age are taken, and rows of the next two weeks", async () => {
  for (const weeks of [-100, -6, -1, 0, 1, 1.99]) await writeBothAt(inWeeks(weeks));
  const { requests, attempts } = await daysOfBoth();
  expect(requests).toEqual([-100, -6, -1, 0, 1, 1.99].map((weeks) => inWeeks(weeks).toISOString().slice(0, 10)));
  expect(attempts).toEqual(requests);
});

test("as weeks pass, every row younger than 30 days is kept, and no row outside the first week gets 37 days old", async () => {
  await sql()`delete from request_log`;
  await sql()`delete from webhook_attempts`;
  const written: Date[] = [];
  for (let day = 0; day < 120; day += 1) {
    const at = new Date(Date.now() + day * DAY_MS);
    await keepWeeks(at);
    await writeBothAt(at);
    written.push(at);
    const oldest = new Date((await daysOfBoth()).requests[0] ?? "");
    const firstEndsIn = 2 * WEEK_MS;
    if (day * DAY_MS > LOGS_KEPT_MS + firstEndsIn) expect(oldest.getTime()).toBeGreaterThan(at.getTime() - LOGS_KEPT_MS - WEEK_MS - DAY_MS);
    const young = written.filter((each) => each.getTime() > at.getTime() - LOGS_KEPT_MS);
    for (const days of Object.values(await daysOfBoth()))
      expect(days).toEqual(expect.arrayContaining(young.map((each) => each.toISOString().slice(0, 10))));
  }
});

test("three workers that keep weeks at once make and drop each once, and a second call changes nothing", async () => {
  const later = inWeeks(40);
  await Promise.all(times(3, () => keepWeeks(later)));
  const before = await partitions();
  expect(before.length).toBeGreaterThan(6);
  expect(await keepWeeks(later)).toEqual({ dropped: [], busy: [] });
  expect(await partitions()).toEqual(before);
});

test("while a reader uses a log, no week of it is dropped, weeks are still made, and the next call drops", async () => {
  const later = inWeeks(45);
  const reader = connect(settings().DATABASE_URL, { max: 1 });
  await reader.sql.begin(async (tx) => {
    await tx`select count(*) from request_log`;
    const { dropped, busy } = await keepWeeks(later);
    expect(dropped.every((name) => name.startsWith("webhook_attempts"))).toBe(true);
    expect([dropped.length, busy.length]).toEqual([expect.toSatisfy((count) => count > 0), expect.toSatisfy((count) => count > 0)]);
    await writeBothAt(later);
  });
  await reader.sql.end();
  expect(await keepWeeks(later)).toMatchObject({ dropped: expect.arrayContaining([expect.stringContaining("request_log")]), busy: [] });
});

test("a transaction that stalls while it drops a week is ended after 30 s", async () => {
  await expect(sql()`select current_setting('idle_in_transaction_session_timeout') as within`).resolves.toMatchObject([{ within: "30s" }]);
});

test("a log without any week, as a restore may leave it, gets a first one for all rows before its Monday", async () => {
  for (const name of await partitions()) await sql()`drop table ${sql()(name)}`;
  await keepWeeks(inWeeks(0));
  await keepWeeks(new Date(Date.now() + DAY_MS));
  for (const weeks of [-100, 0, 1.99]) await writeBothAt(inWeeks(weeks));
  expect((await partitions()).every((name) => new Date(name.slice(-8).replace(/(....)(..)(..)/, "$1-$2-$3")).getUTCDay() === 1)).toBe(true);
});

test("ids of the log are compared as bytes, whatever language the database sorts by", async () => {
  const rows = await sql()<{ collation: string }[]>`
    select distinct attcollation::regcollation::text as collation from pg_attribute
    where attname = 'id' and (attrelid = 'request_log'::regclass or attrelid in (select inhrelid from pg_inherits where inhparent = 'request_log'::regclass))`;
  expect(rows).toEqual([{ collation: '"C"' }]);
});

test("a list of one merchant by id reads its partitions in order, without a sort", async () => {
  const plan = await sql()`
    explain (costs off) select * from request_log where merchant_id = 'mer_a' and id >= ${leastIdAt("request", Date.now())} order by id desc limit 50`;
  const text = JSON.stringify(plan);
  expect(text).toContain("Index Scan Backward");
  expect(text).not.toContain("Sort");
});
