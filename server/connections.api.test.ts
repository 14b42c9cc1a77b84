import { describe, expect, test } from "vitest";
import { pageHeaders } from "#app/_http/page-headers.fixture.ts";
import { sql } from "#db/client.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { withDatabase } from "#testing/database.ts";
import { rawRequest } from "#testing/raw-http.ts";
import { until } from "#testing/until.ts";
import { HOST, LIMITS, TRUSTED, withSmallApp } from "./small-app.fixture.ts";

withDatabase();
const { app, open } = withSmallApp();
const isAnswered = async (from: string) =>
  (await rawRequest(app.url, ["GET /health HTTP/1.1", "Host: a"], { from })).startsWith("HTTP/1.1 200");

describe("a connection", () => {
  test("that is silent or slow with its headers gets 408 and is ended, and one with a slow body or a slow logo is ended later", async () => {
    const silent = open("");
    const slow = open("GET /health HTTP/1.1\r\nHost: a\r\nX-A");
    // This route reads the body before it checks anything.
    const body = open(`POST /api/providers/sandbox/notices HTTP/1.1\r\n${HOST}Content-Length: 1000\r\n\r\n{`);
    const { merchant } = await aMerchant();
    const owner = await aMember(merchant.businessId, "owner");
    const headers = { ...pageHeaders(app, owner.token, merchant.id), "Content-Type": "image/png", "Content-Length": "300000" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const logo = open(`POST /api/dashboard/brand/logo?version=1 HTTP/1.1\r\n${HOST}${lines.join("")}\r\n`);
    const drip = setInterval(() => {
      for (const connection of [slow, body, logo]) connection.send("a");
    }, 500);
    for (const connection of [silent, slow]) {
      expect(await connection.closed(40_000)).toMatch(/^HTTP\/1\.1 408 .*Send the headers within 10 seconds/s);
    }
    // A body has more time than headers.
    for (const connection of [body, logo]) expect(connection.isClosed).toBe(false);
    for (const connection of [body, logo]) await connection.closed(60_000);
    clearInterval(drip);
    expect(await sql()`select from logos`).toHaveLength(0);
  }, 120_000);

  test.each([
    ["a WebSocket", "GET", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n"],
    ["HTTP/2 in the clear", "GET", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"],
    ["something unknown", "GET", "Connection: upgrade\r\nUpgrade: x/1\r\n"],
    ["something unknown, with a body", "POST", "Connection: upgrade\r\nUpgrade: x/1\r\nContent-Length: 2\r\n"],
  ])("that asks to become %s gets an ordinary answer on every path, and is ended", async (_name, method, headers) => {
    for (const [path, status] of [
      ["/health", method === "GET" ? 200 : 405],
      ["/nothing", 404],
      ["/_next/webpack-hmr", 404],
      ["/api/v1/wallet", method === "GET" ? 401 : 405],
    ] as const) {
      const connection = open(`${method} ${path} HTTP/1.1\r\n${HOST}${headers}\r\n${method === "POST" ? "{}" : ""}`);
      expect(await connection.answered(/\r\n\r\n/)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      await connection.closed(10_000);
    }
  });

  test("that sends many requests at once gets answers to sixteen, in order, and is ended", async () => {
    const few = open(Array.from({ length: 16 }, (_, i) => `GET /${i === 7 ? "nothing" : "health"} HTTP/1.1\r\n${HOST}\r\n`).join(""));
    await until(async () => few.received.match(/HTTP\/1\.1 \d+/g)?.length === 16);
    expect(few.received.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(-3)))).toEqual([
      ...Array(7).fill(200),
      404,
      ...Array(8).fill(200),
    ]);
    few.socket.destroy();
    const many = await open(`GET /health HTTP/1.1\r\n${HOST}\r\n`.repeat(500)).closed();
    const statuses = many.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(-3))) ?? [];
    expect(statuses.slice(0, 16)).toEqual(Array(16).fill(200));
    expect(statuses.slice(16)).toEqual([429]);
  });

  test("above the limit of its network is refused; connections of other networks and trusted proxies are not", async () => {
    const crowd = Array.from({ length: LIMITS.maxPerNetwork }, () => open("", "127.0.0.9"));
    const refused = open("", "127.0.0.9");
    expect(await refused.closed()).toMatch(/^HTTP\/1\.1 503 .*Retry-After: 5.*Too many connections/s);
    expect(await isAnswered("127.0.0.10")).toBe(true);
    const proxied = Array.from({ length: LIMITS.maxPerNetwork + 5 }, () => open(`GET /health HTTP/1.1\r\n${HOST}\r\n`, TRUSTED));
    for (const connection of proxied) expect(await connection.answered(/\{"status":"ok"\}/)).toMatch(/^HTTP\/1\.1 200 /);
    for (const connection of [...crowd, ...proxied]) connection.socket.destroy();
    await until(() => isAnswered("127.0.0.9"));
  });

  test("of the network with the most connections is ended when the process is full, so that other networks are still answered", async () => {
    const networks = Array.from({ length: 4 }, (_, i) => `127.0.2.${1 + i}`);
    const crowd = networks.flatMap((from) =>
      Array.from({ length: LIMITS.maxPerNetwork }, () => open(`GET /health HTTP/1.1\r\n${HOST}\r\n`, from)),
    );
    await until(async () => crowd.filter(({ received }) => received.includes("200 OK")).length >= LIMITS.maxTotal - 5);
    const newcomers = Array.from({ length: 20 }, (_, i) => `127.0.3.${1 + i}`);
    for (const from of newcomers) expect(await isAnswered(from), from).toBe(true);
    for (const connection of crowd) connection.socket.destroy();
  });

  test("that goes on sending a body after its answer is ended", async () => {
    const endless = open(`POST /nothing HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`);
    const pour = setInterval(() => endless.send(`1000\r\n${"x".repeat(4_096)}\r\n`), 20);
    expect(await endless.closed(10_000)).toMatch(/^HTTP\/1\.1 404 /);
    clearInterval(pour);
  });
});
