import { readFileSync } from "node:fs";
import { connect as connectTo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { expect, test, vi } from "vitest";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import { open, withHost } from "../primary.ts";

withDatabase();

/** A certificate for `localhost` that no authority has signed, and its key. */
const certificate = readFileSync(new URL("certificate.fixture.pem", import.meta.url));

const REQUIRE = { sslmode: "require" };

/** How the server answers a client that asks for TLS. */
type Answer = Buffer | "silence" | "end";

interface Server {
  port: number;
  /** Loses all further bytes of the connections that are open now. */
  loseOpen: () => void;
  /** How many connections carried statements in the clear, and how many over TLS. */
  carried: { plain: number; tls: number };
}

/** Starts a server with TLS before the database, as a cloud has it. */
async function startTls(answer: Answer = Buffer.from("S")): Promise<Server> {
  const { hostname, port } = new URL(settings().DATABASE_URL);
  const carried = { plain: 0, tls: 0 };
  const open = new Set<Socket>();
  function carry(client: Socket, first?: Buffer) {
    carried[client instanceof TLSSocket ? "tls" : "plain"]++;
    const database = connectTo(Number(port), hostname);
    if (first) database.write(first);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on("data", (chunk) => open.has(client) && to.write(chunk));
      from.on("error", () => undefined).on("close", () => to.destroy());
    }
    open.add(client);
  }
  const secured = (raw: Socket) =>
    carry(new TLSSocket(raw, { isServer: true, key: certificate, cert: certificate, ALPNProtocols: ["postgresql"] }));
  const server = createServer((raw) => {
    raw.on("error", () => undefined);
    raw.once("readable", () => {
      const first = raw.read(1) as Buffer;
      raw.unshift(first);
      // A TLS handshake begins with 22; everything else in a greeting of PostgreSQL with a length.
      if (first[0] === 22) return secured(raw);
      const greeting = raw.read() as Buffer;
      if (greeting.length !== 8) return carry(raw, greeting);
      if (answer === "silence") return;
      if (answer === "end") return raw.end();
      raw.write(answer);
      if (String(answer) === "S") secured(raw);
      else raw.once("data", (chunk) => carry(raw, chunk));
    });
  });
  server.unref();
  return { port: await listenOnLoopback(server), loseOpen: () => open.clear(), carried };
}

/** Returns the URL of the database through a server, with parameters. */
function urlOf({ port }: Server, parameters: Record<string, string> = {}, host = "127.0.0.1"): string {
  const url = new URL(withHost(settings().DATABASE_URL, { host, port }));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Returns what a pool answers to its first query: its row, or the code of its error. */
async function firstAnswer(url: string, options: Partial<Parameters<typeof open>[1]> = {}): Promise<unknown> {
  const pool = open(url, { max: 1, ...options });
  const answer = await pool`select 'x' as text`.then(
    ([row]) => row?.text,
    (error: NodeJS.ErrnoException) => error.code,
  );
  await pool.end({ timeout: 0 });
  return answer;
}

test("with sslmode=require, statements go over TLS, and any certificate is accepted", async () => {
  const server = await startTls();
  expect(await firstAnswer(urlOf(server, REQUIRE))).toBe("x");
  expect(server.carried).toEqual({ plain: 0, tls: 1 });
});

test("a URL without a host or a port takes them from PGHOST and PGPORT, and a host may be an IPv6 address", async () => {
  const { port, username, password, pathname } = new URL(settings().DATABASE_URL);
  const url = (authority: string) => settings().DATABASE_URL.replace(/@[^/?]*/, `@${authority}`);
  vi.stubEnv("PGPORT", port);
  expect(await firstAnswer(url("127.0.0.1"))).toBe("x");
  vi.stubEnv("PGUSER", decodeURIComponent(username));
  vi.stubEnv("PGPASSWORD", decodeURIComponent(password));
  for (const hosts of ["127.0.0.1", "127.0.0.1,127.0.0.2"]) {
    vi.stubEnv("PGHOST", hosts);
    expect(await firstAnswer(`postgres://${pathname}`)).toBe("x");
  }
  vi.stubEnv("PGPORT", "1");
  expect(await firstAnswer(`postgres://${pathname}`)).toBe("ECONNREFUSED");
  expect(await firstAnswer(url("[::1]:1"))).toMatch(/^ECONNREFUSED|^EADDRNOTAVAIL/);
  vi.unstubAllEnvs();
});

test("with sslnegotiation=direct, a connection begins with TLS", async () => {
  const server = await startTls("silence");
  expect(await firstAnswer(urlOf(server, { ...REQUIRE, sslnegotiation: "direct" }))).toBe("x");
  expect(server.carried).toEqual({ plain: 0, tls: 1 });
});

test("a certificate is verified with sslmode=verify-full: one of an unknown authority, or for another name, is refused", async () => {
  const server = await startTls();
  expect(await firstAnswer(urlOf(server, { sslmode: "verify-full" }))).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  const known = { ssl: { ca: certificate } };
  expect(await firstAnswer(urlOf(server), known)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  expect(server.carried.plain).toBe(0);
  expect(await firstAnswer(urlOf(server, {}, "localhost"), known)).toBe("x");
});

test("a server without TLS is refused, but with sslmode=prefer, and one that sends more than its answer always", async () => {
  const without = await startTls(Buffer.from("N"));
  expect(await firstAnswer(urlOf(without, REQUIRE))).toBe("CONNECT_NO_TLS");
  expect(without.carried).toEqual({ plain: 0, tls: 0 });
  expect(await firstAnswer(urlOf(without, { sslmode: "prefer" }))).toBe("x");
  expect(without.carried).toEqual({ plain: 1, tls: 0 });
  const inBetween = await startTls(Buffer.from("SE\0\0\0"));
  expect(await firstAnswer(urlOf(inBetween, REQUIRE))).toBe("CONNECT_NO_TLS");
});

test("a server that does not answer the question for TLS is given up in time, and the pool closes", async () => {
  const server = await startTls("silence");
  expect(await firstAnswer(urlOf(server, REQUIRE), { connect_timeout: 1 })).toBe("CONNECT_TIMEOUT");
});

test("a server that closes the connection in place of an answer is noticed at once", async () => {
  const server = await startTls("end");
  expect(await firstAnswer(urlOf(server, REQUIRE))).toBe("CONNECT_CLOSED");
});

test("a connection over TLS that has lost its bytes is given up, and the next query is answered", async () => {
  const server = await startTls();
  const pool = open(urlOf(server, REQUIRE), { max: 1 }, { answerWithinMs: 1_000 });
  await pool`select 1`;
  server.loseOpen();
  await expect(pool`select 2`).rejects.toMatchObject({ code: "ANSWER_TIMEOUT" });
  expect([...(await pool`select 3 as three`)]).toEqual([{ three: 3 }]);
  expect(server.carried).toEqual({ plain: 0, tls: 2 });
  await pool.end();
});
