import { performance } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { rawRequest } from "#testing/raw-http.ts";
import { MAX_HEADER_BYTES, MAX_HEADERS, MAX_TARGET } from "./border.ts";

withDatabase();
const app = withApp({ PUBLIC_REQUESTS_PER_SECOND: "1000000" }, { pages: true });

const queryOf = (separators: number, separator = "&") => `a${separator}`.repeat(separators);
/** Returns the longest query with the most keys. All keys differ, because Next's cost grows with the number of different keys. */
const widestQuery = () => {
  const room = Math.floor(MAX_TARGET.queryCharacters / (MAX_TARGET.querySeparators + 1)) - 1;
  return Array.from({ length: MAX_TARGET.querySeparators + 1 }, (_, i) => String(i).padStart(2, "0").padEnd(room, "x")).join("&");
};
const headersOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, i) => `x-${i}: ${"y".repeat(Math.max(1, Math.floor(bytes / count) - 10))}`);

describe("a request larger than any of ours is refused with 413 before Next sees it", () => {
  test.each([
    ["a query of one separator too many", `/health?${queryOf(MAX_TARGET.querySeparators + 1)}`],
    ["a query of thousands of keys", `/health?${queryOf(1_900)}`],
    ["semicolons as separators", `/health?${queryOf(MAX_TARGET.querySeparators + 1, ";")}`],
    ["a long query", `/health?a=${"x".repeat(MAX_TARGET.queryCharacters)}`],
    ["a long path", `/${"x".repeat(MAX_TARGET.pathCharacters)}`],
    ["a path of many parts", "/x".repeat(MAX_TARGET.pathSegments + 1)],
    ["thousands of keys on a path that does not exist", `/nothing?${queryOf(1_900)}`],
    ["thousands of keys on an endpoint of the API", `/api/v1/wallet?${queryOf(1_900)}`],
  ])("%s", async (_name, path) => {
    const response = await fetch(`${app.url}${path}`);
    expect(response.status).toBe(413);
    expect((await response.json()).error).toMatchObject({ code: "PAYLOAD_TOO_LARGE", outcome: "not_executed" });
  });

  test("too many headers, too many bytes of headers, and a Content-Length above 64 KB are each refused with 413", async () => {
    const over = await rawRequest(app.url, ["GET /health HTTP/1.1", "Host: a", ...headersOf(MAX_HEADERS, 1_000)]);
    expect(over).toMatch(/^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s);
    const fat = await rawRequest(app.url, ["GET /health HTTP/1.1", "Host: a", `x: ${"y".repeat(MAX_HEADER_BYTES)}`]);
    expect(fat).toMatch(/^HTTP\/1\.1 413 .*Send at most 16 KB of headers/s);
    const long = await rawRequest(app.url, ["POST /nothing HTTP/1.1", "Host: a", `Content-Length: ${64 * 1024 + 1}`]);
    expect(long).toMatch(/^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s);
  });

  test("the largest query and the largest headers still reach the route", async () => {
    for (const path of [`/health?${queryOf(MAX_TARGET.querySeparators)}`, `/health?${widestQuery()}`])
      expect((await fetch(`${app.url}${path}`)).status).toBe(200);
    const full = await rawRequest(app.url, ["GET /health HTTP/1.1", "Host: a", "Connection: close", ...headersOf(MAX_HEADERS - 2, 15_000)]);
    expect(full).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test("the largest request that is let through takes less time than eight small ones", async () => {
  const longPath = `/${"x/".repeat(MAX_TARGET.pathSegments - 1)}${"x".repeat(900)}`;
  const kinds: Record<string, [path: string, headers: Record<string, string>]> = {
    "query of the most keys": [`/health?${widestQuery()}`, {}],
    "query of the most separators": [`/health?${queryOf(MAX_TARGET.querySeparators)}`, {}],
    "fully encoded query": [`/health?a=${"%41".repeat(1_300)}`, {}],
    "most headers": ["/health", Object.fromEntries(headersOf(MAX_HEADERS - 8, 14_000).map((line) => line.split(": ") as [string, string]))],
    "one long header": ["/health", { "x-long": "y".repeat(14_000) }],
    "thousands of cookies": ["/health", { cookie: "a=b;".repeat(3_500) }],
    "thousands of forwarding proxies": ["/health", { "x-forwarded-for": "1.1.1.1,".repeat(1_700) }],
    "thousands of languages": ["/pay/x", { "accept-language": "ha,".repeat(4_600) }],
    "longest path": [longPath, {}],
    "longest path and query of a page": [`/pay/${"x".repeat(1_000)}?${widestQuery()}`, {}],
    "fully encoded path of the API": [`/api/v1/${"%41".repeat(330)}`, {}],
  };
  const millisecondsOf = async ([path, headers]: [string, Record<string, string>]) => {
    const taken: number[] = [];
    for (let i = 0; i < 60; i++) {
      const startedAt = performance.now();
      await (await fetch(`${app.url}${path}`, { headers })).arrayBuffer();
      taken.push(performance.now() - startedAt);
    }
    return taken.toSorted((a, b) => a - b)[30] ?? Number.NaN;
  };
  const small = { "/health": await millisecondsOf(["/health", {}]), "/pay": await millisecondsOf(["/pay/x", {}]) };
  for (const [name, kind] of Object.entries(kinds)) {
    const like = kind[0].startsWith("/pay") ? small["/pay"] : small["/health"];
    const cost = await millisecondsOf(kind);
    console.info(`${name}: ${cost.toFixed(2)} ms, ${(cost / like).toFixed(1)} times a small one`);
    expect(cost / like, name).toBeLessThan(8);
  }
}, 180_000);
