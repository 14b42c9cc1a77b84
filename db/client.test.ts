import { connect as connectTo, createServer } from "node:net";
import type postgres from "postgres";
import { expect, test } from "vitest";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import { startNetwork } from "#testing/network/proxy.ts";
import { times, until } from "#testing/until.ts";
import { afterCommit, connect, db, preparing, type Sql, sql, transaction } from "./client.ts";
import { listen } from "./listen.ts";
import { open } from "./primary.ts";

withDatabase();

const endAllOthers = () => sql()`
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

test("a connection that is lost during a transaction rejects only that transaction, and the next query works", async () => {
  const lost = sql().begin(async (tx) => {
    await tx`select 1`;
    await endAllOthers();
    await tx`select 1`.catch(() => undefined);
    // A second statement on the lost connection ended the process before postgres.js was patched.
    await tx`select 1`;
  });
  await expect(lost).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  const rows = await until(async () => sql()`select 1 as one`.catch(() => undefined));
  expect(rows).toEqual([{ one: 1 }]);
});

test("a prepared query in a transaction belongs to it: it sees the changes, and a rollback undoes them", async () => {
  const seen = async (query: Sql) => [...(await query`select to_regclass('short_lived')::text as name`)];
  await transaction(async (tx) => {
    await preparing(tx)`create table short_lived (id int)`;
    expect(await seen(preparing(tx))).toEqual([{ name: "short_lived" }]);
    throw new Error("rolled back");
  }).catch(({ message }) => expect(message).toBe("rolled back"));
  expect(await seen(preparing(db()))).toEqual([{ name: null }]);
});

test("queries and transactions that follow one another use one connection, however many are open", async () => {
  const { sql: pool } = connect(settings().DATABASE_URL, { max: 4 });
  const [held, ...others] = await Promise.all(times(4, () => pool.reserve()));
  const pidOf = async (query: postgres.ISql<{ bigint: bigint }>) =>
    (await query<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const pids = await Promise.all([held, ...others].map((one) => (one ? pidOf(one) : undefined)));
  for (const one of others) one.release();
  held?.release();
  const used = new Set<unknown>();
  for (let n = 0; n < 4; n++) {
    used.add(await pidOf(pool));
    used.add(await pool.begin((tx) => pidOf(tx)));
  }
  expect(new Set(pids).size).toBe(4);
  expect([...used]).toEqual([pids[0]]);
  await pool.end();
});

test("a query waits for the connection that is free first, and not behind a statement that waits for a lock", async () => {
  const { sql: pool } = connect(settings().DATABASE_URL, { max: 2 });
  const lock = (query: postgres.ISql<{ bigint: bigint }>) => query`select pg_advisory_xact_lock(${4711})`;
  const read = (query: postgres.ISql<{ bigint: bigint }>) => query`select 1 as one`;
  // A statement that a connection has prepared may be sent while another one runs on it.
  const both = await Promise.all(times(2, () => pool.reserve()));
  for (const one of both) await Promise.all([lock(one), read(one)]);
  for (const one of both) one.release();
  const holder = await sql().reserve();
  await holder`select pg_advisory_lock(4711)`;
  let isStuck = true;
  const stuck = lock(pool).then(() => (isStuck = false));
  let answered = 0;
  const reads = times(6, async () => {
    await read(pool);
    answered++;
  });
  const allAnswered = until(async () => answered === 6, 5_000).then(() => isStuck);
  await allAnswered.finally(() => holder`select pg_advisory_unlock(4711)`);
  expect(await allAnswered).toBe(true);
  await Promise.all([stuck, ...reads]);
  holder.release();
  await pool.end();
});

test("a query that fails after some of its rows leaves none of them to the next query of its connection", async () => {
  const { sql: pool } = connect(settings().DATABASE_URL, { max: 1 });
  await expect(pool`select 1 / (3 - n) from generate_series(1, 5) n`.execute()).rejects.toMatchObject({ code: "22012" });
  expect([...(await pool`select 1 as one`)]).toEqual([{ one: 1 }]);
  await pool.end();
});

test("a pool that loses all its connections at once serves queries again at once", async () => {
  const { sql: pool } = connect(settings().DATABASE_URL, { max: 3 });
  const { sql: operator } = connect(settings().DATABASE_URL, { max: 1 });
  await operator`select 1`;
  const three = () => Promise.allSettled([1, 2, 3].map((n) => pool`select ${n}::int as n, pg_sleep(0.05)`));
  await three();
  // The rejected query retries at once, on connections that are lost too but not yet known to be.
  const retried = pool`select pg_sleep(20)`.catch(() => Promise.allSettled([1, 2, 3, 4].map((n) => pool`select ${n}::int as n`)));
  await until(
    async () => (await operator`select from pg_stat_activity where query = 'select pg_sleep(20)' and state = 'active'`).length > 0,
  );
  void operator`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute();
  await new Promise(setImmediate);
  // The event loop is busy while all sockets end.
  const busyUntil = performance.now() + 500;
  while (performance.now() < busyUntil);
  await retried;
  for (let round = 0; round < 6; round++) {
    const startedAt = performance.now();
    await three();
    // A pool that lost track of a connection hangs.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  }
  expect((await three()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  await Promise.all([pool.end(), operator.end()]);
});

test("a transaction that lost its connection cannot write into the next transaction of the pool", async () => {
  const { sql: one } = connect(settings().DATABASE_URL, { max: 1 });
  await one`create table if not exists next_ones (name text primary key)`;
  const [resume, tried] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lost = one
    .begin(async (tx) => {
      await tx`select 1`;
      await endAllOthers();
      // The transaction awaits no query when its connection ends.
      await resume.promise;
      await tx`insert into next_ones values (${"of the lost one"})`.finally(tried.resolve);
    })
    .catch((error: NodeJS.ErrnoException) => error.code);
  expect(await lost).toBe("CONNECTION_CLOSED");
  const next = one.begin(async (tx) => {
    await tx`insert into next_ones values (${"of the next one"})`;
    resume.resolve();
    await tried.promise;
  });
  await next;
  expect(await one`select name from next_ones`).toEqual([{ name: "of the next one" }]);
  await one`drop table next_ones`;
  await one.end();
});

test("a transaction that loses its connection rejects each of its queries, also those that it has not sent", async () => {
  const { sql: one } = connect(settings().DATABASE_URL, { max: 1 });
  const all = Promise.withResolvers<PromiseSettledResult<unknown>[]>();
  const lost = one.begin(async (tx) => {
    // A statement with parameters is described first, so the others wait behind it on this side.
    const queries = [tx`select ${1}::int, pg_sleep(20)`, tx`select ${2}::int`, tx`select 3`].map((query) => query.execute());
    void Promise.allSettled(queries).then(all.resolve);
    await until(
      async () =>
        (await sql()`select from pg_stat_activity where query like '%pg_sleep(20)%' and state = 'active' and pid <> pg_backend_pid()`)
          .length > 0,
    );
    await endAllOthers();
    await all.promise;
  });
  await expect(lost).rejects.toThrow();
  expect((await all.promise).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await one.end();
});

/** Opens a pool of one connection that its sessions in the server name, and returns how many of those there are. */
function namedPool(name: string, port?: number) {
  const url = new URL(settings().DATABASE_URL);
  if (port) url.port = String(port);
  url.searchParams.set("application_name", name);
  const sessions = async () => (await sql()`select from pg_stat_activity where application_name = ${name}`).length;
  return { pool: connect(url.href, { max: 1 }).sql, sessions };
}

test("a closed pool first answers its waiting queries, and then closes all its connections", async () => {
  const { pool, sessions } = namedPool("closes");
  const queries = [pool`select pg_sleep(0.2)`.execute(), pool`select 1 as one`.execute(), pool.begin((tx) => tx`select 2 as two`)];
  await pool.end();
  expect((await Promise.all(queries)).map((rows) => rows.length)).toEqual([1, 1, 1]);
  await until(async () => (await sessions()) === 0);
});

test("a closed pool whose connection is lost answers its waiting queries, and then closes the connection that answered them", async () => {
  const { hostname, port } = new URL(settings().DATABASE_URL);
  const network = await startNetwork(() => ({ host: hostname, port: Number(port) }));
  const { pool, sessions } = namedPool("closes-lost", network.port);
  await pool`select 1`;
  const lost = pool`select pg_sleep(20)`.catch(() => "lost");
  let isAnswered = false;
  const waiting = pool`select 1 as one`.then(() => (isAnswered = true));
  const closed = pool.end().then(() => isAnswered);
  network.cut();
  expect(await lost).toBe("lost");
  expect(await closed).toBe(true);
  await waiting;
  await until(
    async () => (await sql()`select from pg_stat_activity where application_name = 'closes-lost' and state <> 'active'`).length === 0,
  );
  await sql()`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'closes-lost'`;
  await until(async () => (await sessions()) === 0);
});

test.each([1, 4])(
  "a connection whose lifetime ends during a transaction is replaced, and no query of a pool of %i is lost by it",
  async (max) => {
    const pool = open(settings().DATABASE_URL, { max, max_lifetime: 0.2 });
    for (let round = 0; round < 3; round++) {
      await pool.begin(async (tx) => {
        await tx`select pg_sleep(0.3)`;
        await tx`select 1`;
      });
      expect([...(await pool`select 2 as two`)]).toEqual([{ two: 2 }]);
    }
    const endsAtMs = performance.now() + 1_000;
    let answered = 0;
    const work = async () => {
      for (; performance.now() < endsAtMs; answered++) await pool.begin((tx) => tx`select 3`);
    };
    await Promise.all(times(2 * max, work));
    expect(answered).toBeGreaterThan(20);
    await pool.end();
  },
);

test("a server that closes connections while they open is asked three times, and the query is rejected", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end();
  });
  server.unref();
  const url = new URL(settings().DATABASE_URL);
  url.port = String(await listenOnLoopback(server));
  const { sql: pool } = connect(url.href, { max: 1 });
  await expect(pool`select 1`).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(connections).toBe(3);
  await pool.end();
});

test("a database that refuses connections is asked less and less often, up to once a second", async () => {
  const url = new URL(settings().DATABASE_URL);
  url.port = "1";
  const { sql: pool } = connect(url.href, { max: 1 });
  const until1500 = performance.now() + 1_500;
  let attempts = 0;
  for (; performance.now() < until1500; attempts++) await expect(pool`select 1`).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(attempts).toBeGreaterThan(2);
  expect(attempts).toBeLessThan(15);
  await pool.end({ timeout: 0 });
});

/** ErrorResponse of a process that an operator ends: fields with their letters, each ended by a zero. */
const ENDED = (() => {
  const fields = Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");
  const head = Buffer.from("E\0\0\0\0");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
})();

/**
 * Starts a proxy before the database that cuts the first connection on which a client sends `text`: it resets it, or says `last` and closes
 * it. Returns the proxy's port.
 */
async function proxyThatCutsAt(text: string, last?: Buffer): Promise<number> {
  const { hostname, port } = new URL(settings().DATABASE_URL);
  let isCut = false;
  const proxy = createServer((client) => {
    const server = connectTo(Number(port), hostname);
    client.on("data", (chunk) => {
      if (isCut || !chunk.includes(text)) return server.write(chunk);
      isCut = true;
      if (last) client.end(last);
      else client.resetAndDestroy();
      return server.destroy();
    });
    server.on("data", (chunk) => client.write(chunk));
    for (const socket of [client, server]) socket.on("error", () => {}).on("close", () => [client, server].map((each) => each.destroy()));
  });
  proxy.unref();
  return listenOnLoopback(proxy);
}

/** Returns a pool of one connection through `proxyThatCutsAt`, which cuts while postgres.js asks for the types of arrays. */
async function poolThatIsCut(last?: Buffer): Promise<Sql> {
  const url = new URL(settings().DATABASE_URL);
  url.port = String(await proxyThatCutsAt("typarray", last));
  return connect(url.href, { max: 1 }).sql;
}

test("a connection that is lost while it is opened is opened again", async () => {
  const pool = await poolThatIsCut();
  const rows = await until(async () => pool`select array['a', 'b'] as list`.catch(() => undefined));
  expect(rows).toEqual([{ list: ["a", "b"] }]);
  await pool.end();
});

test("a connection that the server ends while it is opened is opened again, and the query that waited for it is answered", async () => {
  const pool = await poolThatIsCut(ENDED);
  expect([...(await pool`select array['a', 'b'] as list`)]).toEqual([{ list: ["a", "b"] }]);
  await pool.end();
});

test("a query of the pool within a transaction is refused, and one after it is not", async () => {
  let late = () => {};
  const lateQuery = new Promise((done) => (late = () => done(sql()`select 1`)));
  await expect(transaction(async () => sql()`select 1`)).rejects.toThrow("a query of the pool within a transaction");
  await expect(transaction(async () => db().execute("select 1"))).rejects.toThrow("a query of the pool within a transaction");
  await transaction(async () => {
    setImmediate(() => setImmediate(late));
  });
  await lateQuery;
});

test("a callback of afterCommit runs after the commit, and never after a rollback", async () => {
  const done: string[] = [];
  await transaction(async (tx) => {
    afterCommit(tx, () => done.push("committed"));
    expect(done).toEqual([]);
  });
  await transaction(async (tx) => {
    afterCommit(tx, () => done.push("never"));
    throw new Error("no");
  }).catch(() => undefined);
  expect(done).toEqual(["committed"]);
  await expect(db().transaction(async (tx) => afterCommit(tx, () => {}))).rejects.toThrow(/transaction\(\)/);
});

test("a listener gets messages again after its connection is lost, and no heartbeat of another listener", async () => {
  const heard: string[] = [];
  const [one, two] = [listen("a_channel", (message) => heard.push(message)), listen("a_channel", () => {})];
  const say = (message: string) => sql()`select pg_notify('a_channel', ${message})`;
  await until(async () => {
    await say("first");
    return heard.length > 0;
  });
  await endAllOthers();
  heard.length = 0;
  await until(async () => {
    await say("second").catch(() => undefined);
    return heard.includes("second");
  }, 20_000);
  // A late "first" may still have been on its way when the connection was lost.
  expect(heard.filter((message) => message !== "first" && message !== "second")).toEqual([]);
  await Promise.all([one.stop(), two.stop()]);
});
