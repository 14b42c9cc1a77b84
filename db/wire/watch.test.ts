import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { type Network, startNetwork } from "#testing/network/proxy.ts";
import { until } from "#testing/until.ts";
import { type Sql, sql } from "../client.ts";
import { open, withHost } from "../primary.ts";
import type { ServerProcess, Silence, Watch } from "./watch.ts";

withDatabase();

let network: Network;

beforeEach(async () => {
  const { hostname, port } = new URL(settings().DATABASE_URL);
  network = await startNetwork(() => ({ host: hostname, port: Number(port) }));
});

afterEach(() => network.cut());

const through = (watching: Watch): Sql =>
  open(withHost(settings().DATABASE_URL, { host: "127.0.0.1", port: network.port }), { max: 1 }, watching);

const isSleeping = async () =>
  (await sql()`select from pg_stat_activity where query = 'select pg_sleep(20)' and state = 'active'`).length > 0;
const codeOf = (error: NodeJS.ErrnoException) => error.code;

test("a connection that was idle for longer than the limit is watched again from its next statement", async () => {
  const pool = through({ answerWithinMs: 300 });
  await pool`select 1`;
  await wait(1_000);
  expect([...(await pool`select 2 as two`)]).toEqual([{ two: 2 }]);
  await wait(1_000);
  network.loseOpen();
  expect(await pool`select 3`.catch(codeOf)).toBe("ANSWER_TIMEOUT");
  await pool.end();
});

test("statements that are sent during a silence do not prolong it", async () => {
  const pool = through({ answerWithinMs: 500 });
  const lost = pool.begin(async (tx) => {
    await tx`select 1`;
    network.loseOpen();
    let isOver = false;
    const first = tx`select 2`.catch(codeOf).finally(() => (isOver = true));
    for (let n = 0; n < 100 && !isOver; n++) {
      tx.unsafe("select 3").catch(() => undefined);
      await wait(50);
    }
    return first;
  });
  const startedAtMs = performance.now();
  await expect(lost).rejects.toThrow();
  expect(performance.now() - startedAtMs).toBeLessThan(2_500);
  await pool.end();
});

test("a silence is reported every 5 s, with the process of the connection, and ends with an answer or when it is given up", async () => {
  const silences: Silence[] = [];
  const greeting = Promise.withResolvers<ServerProcess>();
  const pool = through({ answerWithinMs: 60_000, onGreeting: greeting.resolve, onSilence: (silence) => silences.push(silence) });
  const answered = pool`select pg_sleep(7)`.execute();
  await until(async () => silences.length === 1, 10_000);
  expect(silences[0]).toMatchObject(await greeting.promise);
  expect(silences[0]?.isSilent()).toBe(true);
  await answered;
  expect(silences[0]?.isSilent()).toBe(false);
  network.loseOpen();
  const lost = pool`select 2`.catch(codeOf);
  await until(async () => silences.length === 3, 15_000);
  expect(silences.map(({ isSilent }) => isSilent())).toEqual([false, true, true]);
  silences[2]?.giveUp();
  silences[2]?.giveUp();
  expect(await lost).toBe("ANSWER_TIMEOUT");
  await until(async () => silences.every(({ isSilent }) => !isSilent()));
  await pool.end();
});

test("a connection that is closed during a statement or a transaction is reported as abandoned, and one that is idle or that the server closes is not", async () => {
  const abandoned: number[] = [];
  const pidOf = async (query: Pick<Sql, "unsafe">) => Number((await query.unsafe("select pg_backend_pid() as pid"))[0]?.pid);
  const watching = { answerWithinMs: 60_000, onAbandoned: ({ pid }: ServerProcess) => abandoned.push(pid) };

  const idle = through(watching);
  await pidOf(idle);
  await idle.end({ timeout: 0 });
  expect(abandoned).toEqual([]);

  const working = through(watching);
  const worker = await pidOf(working);
  const sleeping = working`select pg_sleep(20)`.catch(codeOf);
  await until(isSleeping);
  await working.end({ timeout: 0 });
  expect(await sleeping).toBe("CONNECTION_DESTROYED");
  expect(abandoned).toEqual([worker]);

  const ended = through(watching);
  const endedPid = await pidOf(ended);
  const sleepingToo = ended`select pg_sleep(20)`.catch(codeOf);
  await until(isSleeping);
  await sql()`select pg_terminate_backend(${endedPid})`;
  expect(await sleepingToo).toMatch(/^57P01$|^CONNECTION_CLOSED$|^ECONNRESET$/);
  await ended.end();
  expect(abandoned).toEqual([worker]);

  const thinking = through(watching);
  const started = Promise.withResolvers<number>();
  const unfinished = thinking
    .begin(async (tx) => {
      started.resolve(await pidOf(tx));
      await new Promise(() => undefined);
    })
    .catch(codeOf);
  const thinker = await started.promise;
  await thinking.end({ timeout: 0 });
  expect(await unfinished).toBe("CONNECTION_CLOSED");
  expect(abandoned).toEqual([worker, thinker]);
});
