import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { until } from "#testing/until.ts";
import { Exchange } from "./exchange.ts";
import { connectSocket } from "./socket.ts";

withDatabase();

/** Gives an exchange the bytes of a socket one by one, as the worst of networks cuts them. */
function follow(socket: Socket, exchange: Exchange): Socket {
  const oneByOne = (bytes: Buffer, take: (byte: Buffer) => void) => {
    for (let at = 0; at < bytes.length; at++) take(bytes.subarray(at, at + 1));
  };
  socket.on("data", (chunk) => oneByOne(chunk, exchange.received));
  const write = socket.write.bind(socket) as (bytes: Buffer, written?: () => void) => boolean;
  let hasBegun = false;
  return Object.assign(socket, {
    write(bytes: Buffer, written?: () => void) {
      // The greeting has no type, so it comes whole.
      if (hasBegun) oneByOne(bytes, (byte) => exchange.sent(byte));
      else exchange.sent(bytes);
      hasBegun = true;
      return write(bytes, written);
    },
  });
}

/** Opens a pool of one connection, and the exchange that follows it. */
async function followed() {
  const exchange = new Exchange();
  const { hostname, port } = new URL(settings().DATABASE_URL);
  const tls = { ssl: false, isDirect: false };
  const socket = async () => follow(await connectSocket({ host: hostname, port: Number(port) }, tls, 5_000), exchange);
  const pool = postgres(settings().DATABASE_URL, { ...{ max: 1, onnotice: () => {}, socket } });
  const [row] = await pool`select pg_backend_pid() as pid`;
  expect(exchange.pid).toBe(row?.pid);
  return { exchange, pool };
}

const atRest = { owesAnswer: false, isBusy: false };
const stateOf = ({ owesAnswer, isBusy }: Exchange) => ({ owesAnswer, isBusy });

test("after statements of every kind, and after those that fail, the server owes nothing and nothing is open", async () => {
  const { exchange, pool } = await followed();
  await pool`create table letters (letter text primary key)`;
  const kinds: (() => PromiseLike<unknown>)[] = [
    () => pool`select 1`,
    () => pool`select ${"a"}::text, ${"b".repeat(50_000)}::text`,
    () => pool`select repeat('x', 100000) from generate_series(1, 20)`,
    () => pool`select 1; select 2`.simple(),
    () => pool.unsafe("select 1 / 0").catch(() => undefined),
    () => pool`select ${"x"}::int`.catch(() => undefined),
    () => pool`no statement`.simple().catch(() => undefined),
    () => pool`select ${1}::int`.describe(),
    () => Promise.allSettled([pool`select 1`, pool`select 1 / 0`, pool`select ${2}::int`, pool`select 3`]),
    () => pool.begin((tx) => tx`insert into letters values ('a')`),
    () =>
      pool
        .begin(async (tx) => {
          await tx`insert into letters values ('a')`;
        })
        .catch(() => undefined),
    () => pool`select n from generate_series(1, 100) n`.cursor(10, () => undefined),
    () => pool`select n from generate_series(1, 100) n`.cursor(10, () => pool.CLOSE),
    () => pool`select 1 / (50 - n) from generate_series(1, 100) n`.cursor(10, () => undefined).catch(() => undefined),
    async () => pipeline(["b\n", "c\n"], await pool`copy letters from stdin`.writable()),
    async () => (await (await pool`copy letters to stdout`.readable()).toArray()).length,
  ];
  for (const run of kinds) {
    await run();
    // The end of a COPY reaches its caller before the answer of the server is whole.
    await until(async () => !exchange.isBusy, 5_000);
    expect(stateOf(exchange)).toEqual(atRest);
  }
  expect(await pool`select letter from letters order by letter`).toEqual([{ letter: "a" }, { letter: "b" }, { letter: "c" }]);
  await pool.end();
});

test("the server owes an answer while it works, and not while the client is at its rows or thinks within a transaction", async () => {
  const { exchange, pool } = await followed();
  const working = pool`select pg_sleep(0.2)`.execute();
  await until(async () => exchange.owesAnswer);
  await working;
  expect(stateOf(exchange)).toEqual(atRest);
  await pool.begin(async (tx) => {
    await tx`select 1`;
    expect(stateOf(exchange)).toEqual({ owesAnswer: false, isBusy: true });
    await tx`select n from generate_series(1, 30) n`.cursor(10, () => {
      expect(stateOf(exchange)).toEqual({ owesAnswer: false, isBusy: true });
    });
    const rows = await tx`copy (select 1) to stdout`.readable();
    await rows.toArray();
  });
  await pool`create table numbers (n int)`;
  const sink = await pool`copy numbers from stdin`.writable();
  expect(stateOf(exchange)).toEqual({ owesAnswer: false, isBusy: true });
  await pipeline(["1\n"], sink);
  await until(async () => !exchange.isBusy, 5_000);
  await pool.end();
});

test("the server owes an answer while a statement with parameters waits for a lock before it is run", async () => {
  const [{ exchange, pool }, other] = await Promise.all([followed(), followed()]);
  await pool`create table doors (id int primary key)`;
  const holder = Promise.withResolvers<void>();
  const locked = other.pool.begin(async (tx) => {
    await tx`lock table doors in access exclusive mode`;
    await holder.promise;
  });
  await until(async () => other.exchange.isBusy && !other.exchange.owesAnswer);
  // It waits while its parameters are described.
  const waiting = pool`select from doors where id = ${1}`.execute();
  await until(isLockAwaited);
  expect(exchange.owesAnswer).toBe(true);
  holder.resolve();
  await Promise.all([waiting, locked]);
  expect(stateOf(exchange)).toEqual(atRest);
  await Promise.all([pool.end(), other.pool.end()]);
});

test("a key of the server that is longer than usual names its process, and one that is too short names none", () => {
  const key = (length: number) => {
    const message = Buffer.alloc(length + 1);
    message.write("K");
    message.writeUInt32BE(length, 1);
    if (length >= 12) message.writeUInt32BE(4_711, 5);
    return message;
  };
  const pidAfter = (bytes: Buffer) => {
    const exchange = new Exchange();
    exchange.received(bytes);
    return exchange.pid;
  };
  for (const length of [12, 40, 260]) expect(pidAfter(key(length))).toBe(4_711);
  for (const length of [4, 8]) expect(pidAfter(Buffer.concat([key(length), key(length)]))).toBeUndefined();
  for (const length of [0, 1, 2 ** 32 - 1]) {
    const message = key(4);
    message.writeUInt32BE(length, 1);
    expect(pidAfter(message)).toBeUndefined();
  }
});

test("of statements that are sent together, the server owes an answer until the last has come", async () => {
  const { exchange, pool } = await followed();
  await pool.begin(async (tx) => {
    // A statement without parameters is sent while another one runs.
    const [first, second] = [tx`select 1`.execute(), tx`select pg_sleep(0.2)`.execute()];
    await first;
    expect(exchange.owesAnswer).toBe(true);
    await second;
    expect(exchange.owesAnswer).toBe(false);
  });
  expect(stateOf(exchange)).toEqual(atRest);
  await pool.end();
});
