import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { lockWaiters } from "#testing/locks.ts";
import { type Network, startNetwork } from "#testing/network/proxy.ts";
import { times, until } from "#testing/until.ts";
import { connect, isAboutData, type Sql } from "./client.ts";
import { endLostConnections } from "./lost-connections.ts";
import { open, withHost } from "./primary.ts";
import type { ServerProcess } from "./wire/watch.ts";

withDatabase();

let direct: Sql;
let network: Network;
let pool: Sql;

beforeAll(() => {
  direct = connect(settings().DATABASE_URL, { max: 3 }).sql;
  return () => direct.end();
});

beforeEach(() => useNetwork());

afterEach(async () => {
  await pool.end({ timeout: 0 });
  network.cut();
});

async function useNetwork(alter?: (chunk: Buffer) => Buffer): Promise<void> {
  const { hostname, port } = new URL(settings().DATABASE_URL);
  network = await startNetwork(() => ({ host: hostname, port: Number(port) }), alter);
  pool = connect(withHost(settings().DATABASE_URL, { host: "127.0.0.1", port: network.port }), { max: 3 }).sql;
}

/** Returns how a query ends, and after how many seconds. An error must not be taken for a fault of the data. */
async function endOf(query: Promise<unknown>): Promise<{ outcome: string; seconds: number }> {
  const startedAtMs = performance.now();
  const outcome = await query.then(
    () => "answered",
    (error: NodeJS.ErrnoException) => (isAboutData(error) ? "about data" : String(error.code)),
  );
  return { outcome, seconds: (performance.now() - startedAtMs) / 1_000 };
}

const isLookedAt = async () =>
  (await direct`select from pg_stat_activity where datname = current_database() and application_name = 'oja-lost-connections'`).length > 0;
const isRunning = async (pid: unknown) => (await direct`select from pg_stat_activity where pid = ${Number(pid)}`).length > 0;

test("a query whose connection lost its bytes is given up within 12 s, and its process in the server is ended", async () => {
  const [row] = await pool`select pg_backend_pid() as pid`;
  network.loseOpen();
  const { outcome, seconds } = await endOf(pool`select 2`);
  expect(outcome).toBe("ANSWER_TIMEOUT");
  expect(seconds).toBeLessThan(12);
  await until(async () => !(await isRunning(row?.pid)));
  expect(await endOf(pool`select 3`)).toMatchObject({ outcome: "answered" });
  await until(async () => !(await isLookedAt()), 10_000);
});

test("a lost transaction lets its locks go, so that another need not wait until the server ends it after 30 s", async () => {
  await direct`create table things (id int primary key)`;
  await direct`insert into things values (1)`;
  const lost = endOf(
    pool.begin(async (tx) => {
      await tx`select from things where id = 1 for update`;
      network.loseOpen();
      await tx`select 2`;
    }),
  );
  await until(
    async () =>
      (await direct`select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`).length > 0,
  );
  const other = await endOf(direct`select from things where id = 1 for update`);
  expect(other).toMatchObject({ outcome: "answered" });
  expect(other.seconds).toBeLessThan(12);
  expect((await lost).outcome).not.toBe("answered");
});

test("a pool that is thrown away leaves no lock behind, however many of its transactions wait for one another", async () => {
  await direct`create table gates (id int primary key)`;
  await direct`insert into gates values (1)`;
  const lost = times(3, () =>
    endOf(
      pool.begin(async (tx) => {
        await tx`select from gates where id = 1 for update`;
        await new Promise(() => undefined);
      }),
    ),
  );
  await until(async () => (await lockWaiters(direct)) === 2);
  network.loseOpen();
  await pool.end({ timeout: 0 });
  const other = await endOf(direct`select from gates where id = 1 for update`);
  expect(other).toMatchObject({ outcome: "answered" });
  expect(other.seconds).toBeLessThan(15);
  for (const { outcome } of await Promise.all(lost)) expect(outcome).toMatch(/^CONNECTION_/);
});

test("a connection whose process is gone is closed, although the network said nothing of its end", async () => {
  const [row] = await pool`select pg_backend_pid() as pid`;
  network.loseOpen();
  await direct`select pg_terminate_backend(${Number(row?.pid)})`;
  const { outcome, seconds } = await endOf(pool`select 2`);
  expect(outcome).not.toBe("answered");
  expect(seconds).toBeLessThan(12);
});

test("a process with the number of one on another server is left alone, and so is one that began after the connection was closed", async () => {
  const { onAbandoned } = endLostConnections(settings().DATABASE_URL);
  const { state } = await pool`select 1`;
  const greeting = Promise.withResolvers<ServerProcess>();
  const other = open(settings().DATABASE_URL, { max: 1 }, { answerWithinMs: 10_000, onGreeting: greeting.resolve });
  await other`select 1`;
  const here = await greeting.promise;
  onAbandoned({ pid: state.pid, server: "192.0.2.1 5432" });
  vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() - 60_000);
  onAbandoned(here);
  await until(isLookedAt);
  await until(async () => !(await isLookedAt()), 10_000);
  expect(await isRunning(state.pid)).toBe(true);
  expect(await isRunning(here.pid)).toBe(true);
  onAbandoned(here);
  await until(async () => !(await isRunning(here.pid)));
  expect(await isRunning(state.pid)).toBe(true);
  await other.end();
});

test("a statement that works or waits for a lock is left alone", async () => {
  await direct`create table doors (id int primary key)`;
  await direct`insert into doors values (1)`;
  const holder = direct.begin(async (tx) => {
    await tx`select from doors where id = 1 for update`;
    await tx`select pg_sleep(14)`;
  });
  await until(
    async () =>
      (await direct`select from pg_stat_activity where datname = current_database() and query like '%pg_sleep(14)%' and state = 'active'`)
        .length > 1,
  );
  const [waits, works] = await Promise.all([endOf(pool`select from doors where id = 1 for update`), endOf(pool`select pg_sleep(14)`)]);
  expect(waits).toMatchObject({ outcome: "answered" });
  expect(waits.seconds).toBeGreaterThan(12);
  expect(works).toMatchObject({ outcome: "answered" });
  await holder;
});

test("a reader that takes its time between the rows of a cursor is left alone", async () => {
  let rows = 0;
  const read = pool.begin("read only", async (tx) => {
    for await (const batch of tx`select n from generate_series(1, 30) n`.cursor(10)) {
      if (rows === 0) await wait(12_000);
      rows += batch.length;
    }
  });
  expect(await endOf(read)).toMatchObject({ outcome: "answered" });
  expect(rows).toBe(30);
});

test("after a process was ended, the next query is answered, and the pool closes", async () => {
  const sleeping = endOf(pool`select pg_sleep(20)`);
  const ended = await until(async () => {
    const [row] = await direct`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_sleep(20)%' and state = 'active' and pid <> pg_backend_pid()`;
    return row;
  });
  expect(ended).toBeDefined();
  expect((await sleeping).outcome).not.toBe("answered");
  for (let n = 0; n < 3; n++) expect(await endOf(pool`select 1`)).toMatchObject({ outcome: "answered" });
  expect((await endOf(pool.end())).seconds).toBeLessThan(3);
});

test("behind a pooler, whose numbers of processes are its own, a long statement is left alone", async () => {
  // BackendKeyData: the type K, the length 12, the number of the process, a secret.
  const start = Buffer.from([0x4b, 0, 0, 0, 12]);
  await useNetwork((chunk) => {
    const at = chunk.indexOf(start);
    if (at >= 0) chunk.writeUInt32BE(4_000_000, at + start.length);
    return chunk;
  });
  expect((await pool`select 1`).state.pid).toBe(4_000_000);
  expect(await endOf(pool`select pg_sleep(14)`)).toMatchObject({ outcome: "answered" });
});
