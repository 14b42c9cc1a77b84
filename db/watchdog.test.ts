import { connect as connectTo, createServer, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import { type Network, startNetwork } from "#testing/network/proxy.ts";
import { times, until } from "#testing/until.ts";
import { closeDatabase, connect, isAboutData, readLong, replacePool, sql, transaction } from "./client.ts";
import { listen } from "./listen.ts";
import { findPrimary, hostsOf, open, withHost } from "./primary.ts";
import { type Watchdog, watch, watchPool } from "./watchdog.ts";

withDatabase();

/** Returns how many sockets of this process lead to a port. */
const socketsTo = (port: number): number =>
  (process as unknown as { _getActiveHandles(): unknown[] })
    ._getActiveHandles()
    .filter((handle) => handle instanceof Socket && handle.remotePort === port && !handle.destroyed).length;

let direct: string;
let network: Network;
let watchdog: Watchdog | undefined;

beforeAll(async () => {
  direct = settings().DATABASE_URL;
});

beforeEach(async () => {
  const { hostname, port } = new URL(direct);
  network = await startNetwork(() => ({ host: hostname, port: Number(port) }));
  await useUrl(withHost(direct, { host: "127.0.0.1", port: network.port }));
});

afterEach(async () => {
  await watchdog?.stop();
  watchdog = undefined;
  await useUrl(direct);
  network.cut();
});

async function useUrl(url: string): Promise<void> {
  await closeDatabase();
  settings().DATABASE_URL = url;
}

/** Returns the code of an error that must not be taken for a fault of the data: a batch would be run again item by item. */
function codeOf(error: NodeJS.ErrnoException): string | undefined {
  expect(isAboutData(error)).toBe(false);
  return error.code;
}

const secondsOf = async (run: Promise<unknown>) => {
  const startedAtMs = performance.now();
  await run;
  return (performance.now() - startedAtMs) / 1_000;
};

/** Starts a proxy before the database that swallows what a client sends from `text` on, and closes nothing. Returns its port. */
async function startHalfOpen(text: string): Promise<number> {
  const { hostname, port } = new URL(direct);
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connectTo(Number(port), hostname).on("error", () => undefined);
    let isSilent = false;
    client.on("error", () => undefined).on("close", () => server.destroy());
    client.on("data", (chunk) => {
      isSilent ||= chunk.includes(text);
      if (!isSilent) server.write(chunk);
    });
    server.on("data", (chunk) => client.write(chunk));
  });
  proxy.unref();
  return listenOnLoopback(proxy);
}

describe("a database that falls silent", () => {
  test("a silent database rejects waiting transactions, reads and queued queries within 8 s, and the next query is answered", async () => {
    await sql()`select 1`;
    watchdog = watchPool(settings().DATABASE_URL);
    const held = transaction(async (tx) => {
      await tx.execute("select 1");
      network.weather = "silent";
      await tx.execute("select 2");
    }).then(() => "committed", codeOf);
    await until(async () => network.weather === "silent");
    const longRead = readLong(async (own) => own`select 1`).then(() => "answered", codeOf);
    const queued = times(40, () => sql()`select 1`.then(() => "answered", codeOf));
    const took = await secondsOf(Promise.all([held, longRead, ...queued]));
    expect(took).toBeLessThan(8);
    expect(await held).not.toBe("committed");
    for (const outcome of await Promise.all([longRead, ...queued])) expect(outcome).toMatch(/^CONNECTION_|^CONNECT_/);
    network.weather = "fair";
    expect(await secondsOf(until(async () => sql()`select 1`.catch(() => undefined)))).toBeLessThan(8);
  });

  test("is heard again by a listener after the silence, with no message of the time after it lost", async () => {
    watchdog = watchPool(settings().DATABASE_URL);
    const heard: string[] = [];
    const listener = listen("watched", (message) => heard.push(message));
    const tell = (text: string) => sql()`select pg_notify('watched', ${text})`.catch(() => undefined);
    await until(async () => {
      await tell("before");
      return heard.includes("before");
    });
    network.weather = "silent";
    // The pool is thrown away.
    await expect(sql()`select 1`).rejects.toThrow();
    network.weather = "fair";
    await until(async () => {
      await tell("after");
      return heard.includes("after");
    }, 20_000);
    await listener.stop();
  });

  test("a process that was busy for 6 s does not take its database for silent, because the answers wait in its sockets", async () => {
    let silences = 0;
    watchdog = watch(settings().DATABASE_URL, () => silences++);
    await sql()`select 1`;
    for (let round = 0; round < 2; round++) {
      await wait(1_000);
      const busyUntil = performance.now() + 6_000;
      while (performance.now() < busyUntil);
      await wait(1_500);
    }
    expect(silences).toBe(0);
  });

  test("a statement that takes longer than the watchdog waits is left alone while the server answers", async () => {
    watchdog = watchPool(settings().DATABASE_URL);
    expect([...(await sql()`select 1 as one, pg_sleep(8)`)]).toMatchObject([{ one: 1 }]);
  });
});

test("a statement whose answer is lost is given up 5 s after the server would have ended it, and frees its connection", async () => {
  const { sql: pool } = connect(settings().DATABASE_URL, { max: 1, withinS: 5 });
  await pool`select 1`;
  network.weather = "silent";
  const lost = pool`select 2`.then(() => "answered", codeOf);
  const took = await secondsOf(lost);
  expect(await lost).toBe("ANSWER_TIMEOUT");
  expect(took).toBeGreaterThan(9.5);
  expect(took).toBeLessThan(13);
  network.weather = "fair";
  expect([...(await pool`select 3 as three`)]).toEqual([{ three: 3 }]);
  await pool.end();
});

test("a pool without a limit on answers closes its socket, although the database neither answers nor closes", async () => {
  const port = await startHalfOpen("select 2");
  const pool = open(withHost(direct, { host: "127.0.0.1", port }), { max: 1 });
  await pool`select 1`;
  expect(socketsTo(port)).toBe(1);
  const lost = pool`select 2`.then(() => "answered", codeOf);
  await pool.end({ timeout: 0 });
  expect(await lost).toBe("CONNECTION_DESTROYED");
  await until(async () => socketsTo(port) === 0, 5_000);
});

test("a read whose rows keep coming is not given up, however long it takes", async () => {
  const { sql: pool } = connect(settings().DATABASE_URL, { max: 1, withinS: 1 });
  await pool`set statement_timeout = 0`;
  const rows = await pool.unsafe("select repeat('x', 100000) as text, pg_sleep(0.5) from generate_series(1, 14)");
  expect(rows).toHaveLength(14);
  await pool.end();
});

test("a pool that was thrown away rejects its statements, and the next query opens another", async () => {
  const sleeping = sql()`select pg_sleep(20)`.then(() => "answered", codeOf);
  await until(
    async () =>
      (await sql()`select from pg_stat_activity where datname = current_database() and query like '%pg_sleep(20)%' and state = 'active'`)
        .length > 1,
  );
  replacePool();
  expect(await sleeping).toMatch(/^CONNECTION_/);
  expect([...(await sql()`select 1 as one`)]).toEqual([{ one: 1 }]);
});

describe("several hosts", () => {
  test("several hosts are read from a URL, with and without ports, and can be replaced by one of them", () => {
    const url = "postgres://u:p%40w@db1:5433,db2,[::1]:5434/oja?target_session_attrs=primary";
    expect(hostsOf(url)).toEqual([
      { host: "db1", port: 5433 },
      { host: "db2", port: 5432 },
      { host: "::1", port: 5434 },
    ]);
    expect(withHost(url, { host: "db2", port: 5432 })).toBe("postgres://u:p%40w@db2:5432/oja?target_session_attrs=primary");
    expect(withHost(url, { host: "::1", port: 1 })).toBe("postgres://u:p%40w@[::1]:1/oja?target_session_attrs=primary");
    expect(hostsOf("postgres:///oja")).toEqual([]);
  });

  /** Returns the URL with a host before the primary. */
  const withFirst = (port: number) => direct.replace(/@[^/]*/, (primary) => `@127.0.0.1:${port},${primary.slice(1)}`);

  test("if one of several hosts refuses and one is silent, each connection goes to the primary", async () => {
    const silent = createServer(() => undefined);
    silent.unref();
    const refusing = await listenOnLoopback(createServer().unref());
    for (const port of [await listenOnLoopback(silent), refusing]) {
      const { sql: pool } = connect(withFirst(port), { max: 5 });
      expect(await secondsOf(Promise.all(times(5, () => pool`select pg_sleep(0.2)`)))).toBeLessThan(3);
      await pool.end();
    }
  });

  test("a pool that is thrown away while it looks for the primary opens no connection afterwards", async () => {
    const { sql: operator } = connect(direct, { max: 1 });
    const opened = async () => {
      const others = await operator`select from pg_stat_activity where datname = current_database() and application_name = 'thrown away'`;
      return others.length;
    };
    // A URL that no connection has used, so that the hosts are asked first.
    const several = `${withFirst(1)}?application_name=thrown%20away`;
    const { sql: pool } = connect(several, { max: 5 });
    const asked = times(5, () => pool`select 1`.then(() => "answered", codeOf));
    await wait(5);
    await pool.end({ timeout: 0 });
    for (const outcome of await Promise.all(asked)) expect(outcome).toBe("CONNECTION_DESTROYED");
    // Long enough for a connection that is still on its way.
    await findPrimary(several);
    await wait(1_500);
    expect(await opened()).toBe(0);
    await operator.end();
  });

  test("a host that greets and then neither answers nor closes costs no socket once it has been asked", async () => {
    await until(async () => sql()`select 1`.catch(() => undefined));
    const port = await startHalfOpen("pg_is_in_recovery");
    const url = withHost(direct, { host: "127.0.0.1", port });
    await expect(findPrimary(url)).rejects.toThrow("no host is a primary that answers");
    await until(async () => socketsTo(port) === 0, 5_000);
  });

  test("if none of several hosts is a primary, a query is refused within 8 s, and the pool works once there is one", async () => {
    let isUp = false;
    const { hostname, port } = new URL(direct);
    const later = await startNetwork(() => ({ host: hostname, port: isUp ? Number(port) : 1 }));
    const url = withFirst(later.port).replace(/,[^/]*/, ",127.0.0.1:1");
    await expect(findPrimary(url)).rejects.toThrow("no host is a primary that answers");
    const { sql: pool } = connect(url, { max: 2 });
    const refused = pool`select 1`.then(() => "answered", codeOf);
    expect(await secondsOf(refused)).toBeLessThan(8);
    expect(await refused).toBe("CONNECT_NO_PRIMARY");
    isUp = true;
    expect([...(await until(async () => pool`select 1 as one`.catch(() => undefined)))]).toEqual([{ one: 1 }]);
    await pool.end();
  });
});
