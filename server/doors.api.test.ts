import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { aQuarterOf } from "#testing/exhaustive.ts";
import { rawRequest } from "#testing/raw-http.ts";
import { until } from "#testing/until.ts";
import { ROOT } from "./runtime.ts";

withDatabase();
const app = withApp({ PUBLIC_REQUESTS_PER_SECOND: "1000000", TRUSTED_PROXIES: "127.0.0.1, ::1" }, { pages: true });

const framework = () => logLines().filter(({ msg }) => msg === "framework" || msg === "runtime");
const logLines = () =>
  app
    .log()
    // The last line may not be whole yet.
    .replace(/[^\n]*$/, "")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
let saidAtStart: unknown[];
beforeAll(() => {
  saidAtStart = framework();
});

/** A log line that a stranger tries to forge. */
const FORGED = '{"level":30,"msg":"FORGED"}';
const ESCAPED = encodeURIComponent(`\n${FORGED}\n\u001b[31m`);

const BUILD = join(ROOT, ".next");
const manifest: Record<string, string> = JSON.parse(readFileSync(join(BUILD, "app-path-routes-manifest.json"), "utf8"));
/** Every path of the build, with `x` for each of its parameters. */
const OWN_PATHS = [...new Set(Object.values(manifest))].map((path) => path.replaceAll(/\[[^\]]+\]/g, "x"));
/** Paths of pages, which answer the router of their own script in its language. */
const PAGES = Object.entries(manifest)
  .filter(([source]) => source.endsWith("/page"))
  .map(([, path]) => path.replaceAll(/\[[^\]]+\]/g, "x"));
const STATIC_FILES = [
  ...globSync("static/**/*.*", { cwd: BUILD }).map((file) => `/_next/${file}`),
  ...globSync("**/*.*", { cwd: join(ROOT, "public") }).map((file) => `/${file}`),
];

const FRAMEWORK_PATHS = [
  `/_next/image?url=${ESCAPED}&w=640&q=75`,
  `/_next/image?url=${encodeURIComponent("/pay/assets/x.js")}&w=640&q=75`,
  `/x/../_next/image?url=${ESCAPED}&w=640&q=75`,
  `/%5Fnext/image?url=${ESCAPED}&w=640&q=75`,
  "/_next/data/build/index.json",
  "/_next/static/nothing.js",
  "/_next/static/../server/pages-manifest.json",
  "/_next/webpack-hmr",
  "/_next",
  "/__nextjs_original-stack-frames",
  "/__nextjs_font/x",
  "/__next_metadata",
  "/_error",
  "/_not-found",
  "/_global-error",
  "/%5Fglobal-error",
  "/pay/%2e%2e/_not-found",
  "/_document",
  "/_app",
  "/404",
  "/404/",
  "/500",
  "/index",
  "/index.rsc",
  "/health.rsc",
  "/health.segments/_tree.segment.rsc",
  "/pay/x.txt",
  `/pay/${ESCAPED}`,
  `/${ESCAPED}`,
  `/nothing?${ESCAPED}=${ESCAPED}`,
  "/health?__nextLocale=ha&__nextDefaultLocale=x&nxtPreference=y&_rsc=z&__nextDataReq=1",
  "/pay/[reference][reference][reference]",
  "//evil.example/%2e%2e",
  "/\\evil.example",
  "/%",
  "/%00",
  "/pay/%ED%A0%80",
];

/** Headers that Next's own parts, or a proxy of its maker, send to each other. */
const FRAMEWORK_HEADERS: Record<string, string>[] = [
  { RSC: "1" },
  { RSC: "1", "Next-Router-Prefetch": "1", "Next-Router-State-Tree": "%5B%22%22%5D" },
  { RSC: "1", "Next-Router-Segment-Prefetch": "/_tree" },
  { "Next-Action": `x${FORGED}` },
  { "Next-Action": "0".repeat(42), "Content-Type": "multipart/form-data; boundary=x" },
  { "Next-Url": "/api/v1/wallet" },
  { "next-resume": "1" },
  { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { "x-middleware-prefetch": "1" },
  { "x-middleware-rewrite": "/api/v1/wallet" },
  { "x-nextjs-data": "1" },
  { "x-matched-path": "/health" },
  { "x-now-route-matches": "1=x" },
  { "x-invoke-path": "/health", "x-invoke-status": "500", "x-invoke-output": "/_error" },
  { "x-prerender-revalidate": "x", "x-prerender-revalidate-if-generated": "1" },
  { "x-next-cache-tags": "x", "x-next-revalidated-tags": "x" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", "x-forwarded-port": "0" },
  { "x-vercel-id": "x", "x-edge-runtime": "x" },
  { cookie: "__prerender_bypass=x; __next_preview_data=y" },
  { traceparent: `00-${"0".repeat(32)}-${"0".repeat(16)}-01`, baggage: FORGED },
  { range: "bytes=5-1", "if-match": "x", "if-unmodified-since": "x" },
  { "accept-encoding": "br;q=x, zstd", "accept-language": "*;q=NaN", "content-encoding": "gzip" },
  { "x-oja-peer": "1.2.3.4" },
];
/** What the router of a page would never send. */
const BROKEN_ROUTERS: Record<string, string>[] = [
  { RSC: "1", "Next-Router-State-Tree": "x" },
  { RSC: "1", "Next-Router-State-Tree": "%" },
  { RSC: "1", "Next-Router-State-Tree": encodeURIComponent(JSON.stringify(["", { children: ["x", { children: [7] }] }])) },
  { RSC: "1", "Next-Router-State-Tree": encodeURIComponent(JSON.stringify(Array.from({ length: 400 }, () => []))) },
  { RSC: "x", "Next-Router-Prefetch": "x", "Next-Router-Segment-Prefetch": "../../x", "Next-Url": "//evil.example" },
  { "x-nonce": "x", "content-security-policy": "script-src 'nonce-x'", "oja-target": "//evil.example", "oja-direct": "1" },
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

let requestCount = 0;
/** Gives each request an address of its own, so that no rate limit refuses it. */
const aClient = () => ({
  "x-forwarded-for": `198.${18 + ((requestCount >> 16) & 1)}.${(requestCount >> 8) & 255}.${requestCount++ & 255}`,
});

const asking = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, {
    method,
    headers: { ...aClient(), ...headers },
    redirect: "manual",
    ...(method === "POST" && { body: "a=b" }),
  });

const DEFAULTS = ["x-content-type-options", "x-frame-options", "referrer-policy", "content-security-policy"];
async function answerOf(method: string, path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await asking(method, path, headers);
  expect(response.status, `${method} ${path} ${JSON.stringify(headers)}`).toBeLessThan(500);
  expect(
    DEFAULTS.filter((name) => response.headers.get(name) === null),
    `${method} ${path}`,
  ).toEqual([]);
  expect(response.headers.get("set-cookie")).toBeNull();
  await response.arrayBuffer();
  return `${response.status} ${response.headers.get("content-type")} ${response.headers.get("location")}`;
}

/** Sends a path exactly as it is written; `fetch` would normalise it. */
const rawAnswer = (path: string) => rawRequest(app.url, [`GET ${path} HTTP/1.1`, "Host: x", "Connection: close"]);

describe("a stranger who tries the paths and headers of the framework", () => {
  test("gets 404 from every path that Next would serve by itself", async () => {
    for (const path of FRAMEWORK_PATHS) {
      const answer = await rawAnswer(path);
      // Next's own page answers 404 too, so the text must be ours.
      const notFound = /^HTTP\/1\.1 404 .*(?:RESOURCE_NOT_FOUND|We cannot find this payment)/s;
      expect(answer, path).toMatch(path.startsWith("/health?") ? /^HTTP\/1\.1 200 / : notFound);
    }
  });

  test("reads the static files of the build with GET, and cannot POST to them", async () => {
    expect(STATIC_FILES.length).toBeGreaterThan(0);
    for (const path of STATIC_FILES) {
      expect((await asking("GET", path)).status, path).toBe(200);
      expect((await asking("GET", path, { range: "bytes=5-1", "if-match": "x" })).status, path).toBe(200);
      expect((await asking("POST", path)).status, path).toBe(405);
    }
  });

  test("gets the same answer from every path of ours, whatever headers of the framework it sends", async () => {
    expect(OWN_PATHS).toContain("/api/v1/wallet");
    // All paths stand behind the same border.
    for (const [turn, path] of OWN_PATHS.filter((each) => !PAGES.includes(each)).entries()) {
      for (const method of ["GET", "POST"]) {
        const plain = await answerOf(method, path);
        for (const headers of aQuarterOf(FRAMEWORK_HEADERS, turn))
          expect(await answerOf(method, path, headers), `${path} ${JSON.stringify(headers)}`).toBe(plain);
      }
    }
  }, 180_000);

  test("gets a page or its way to sign in, and no 5xx, whatever headers of the framework it sends to a page", async () => {
    expect(PAGES).toContain("/sign-up");
    for (const [turn, path] of [...PAGES, "/test", "/live/x"].entries()) {
      for (const headers of aQuarterOf([...FRAMEWORK_HEADERS, ...BROKEN_ROUTERS], turn)) {
        expect(await answerOf("GET", path, headers), `${path} ${JSON.stringify(headers)}`).toMatch(/^(200|307|404) /);
        expect(await answerOf("POST", path, headers), path).toMatch(/^(404|405) /);
      }
    }
  }, 180_000);

  test("gets a declared answer for every method of every path, and never a 5xx", async () => {
    for (const path of [...OWN_PATHS, "/nothing", "/_next/image", "/favicon.ico"]) {
      for (const method of METHODS) expect(await answerOf(method, path)).toMatch(/^(200|204|303|307|401|403|404|405|413|422) /);
    }
    for (const method of ["TRACE", "PROPFIND", "QUERY"]) {
      expect(await rawRequest(app.url, [`${method} /health HTTP/1.1`, "Host: x"])).toMatch(/^HTTP\/1\.1 405 /);
    }
  }, 180_000);

  test("gets a page of ours for a path that does not exist, where it accepts HTML", async () => {
    const response = await asking("GET", "/nothing", { accept: "text/html,*/*" });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(await response.text()).toContain("<h1>There is no such page</h1>");
  });
});

// Runs after all requests above, against the same process.
describe("the requests of a stranger", () => {
  test("write nothing to disk", async () => {
    const snapshot = () =>
      globSync("**/*", { cwd: BUILD }).map(
        (file) => `${file} ${statSync(join(BUILD, file)).isFile() ? statSync(join(BUILD, file)).mtimeMs : ""}`,
      );
    const before = snapshot();
    for (const path of [...FRAMEWORK_PATHS, ...OWN_PATHS]) await rawAnswer(path);
    expect(snapshot()).toEqual(before);
  });

  test("put no line into the log that is not ours", async () => {
    const last = (await asking("GET", "/api/v1/wallet")).headers.get("request-id");
    await until(async () => app.log().includes(`${last}`));
    expect(framework()).toEqual(saidAtStart);
    const others = logLines().filter(
      ({ msg }) => msg !== "request" && msg !== "framework" && msg !== "a notice without a valid signature of its provider was refused",
    );
    expect(others).toEqual([]);
    expect(logLines().length).toBeGreaterThan(OWN_PATHS.filter((path) => path.startsWith("/api/v1")).length);
  });
});
