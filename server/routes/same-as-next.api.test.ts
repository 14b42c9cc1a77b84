import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { aCard, aCardMerchant } from "#services/cards/cards.fixture.ts";
import { aLink, hear, noticeOf } from "#services/checkout/checkout.fixture.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { type App, withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase();
const HOST = "oja.example";
/** Both servers have one address, which pages and QR codes contain. */
const SETTINGS = { PUBLIC_REQUESTS_PER_SECOND: "1000000", BASE_URL: `http://${HOST}` };
const nextAlone = withApp(SETTINGS, { script: "testing/next-alone.ts" });
// The services of this file call the sandbox of the app that is named last.
const ours = withApp(SETTINGS, { pages: true });
withCardSweeps();

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sent in parts, without a length. */
  inChunks?: boolean;
}

let shop: TestMerchant;
let member: TestMember;
let pending: string;
let paid: string;
let card: string;
const key = () => ({ "X-Api-Key": shop.key.publicKey, "X-Api-Secret": shop.key.secretKey });
const session = () => ({ Cookie: `oja-session=${member.token}`, "Sec-Fetch-Site": "same-origin" });
const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
const HTML = { Accept: "text/html" };
const replayed = { "Idempotency-Key": "the same at both" };
const CREATE = "/api/v1/checkout/create";

beforeAll(async () => {
  shop = await aCardMerchant();
  member = await aMember(shop.merchant.businessId, "owner");
  pending = (await aLink(shop, { description: "Two bags of rice" })).reference;
  const other = await aLink(shop);
  await hear(noticeOf(other));
  paid = other.reference;
  ({ id: card } = await aCard(shop, { balance: 5 }));
  await exchange(ours, { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE, ...replayed }, body: '{"amount":5000}' });
});

/** Requests of every kind: each face, each method, and each part of HTTP that a client can see. */
const requests = (): Sent[] => [
  { path: "/" },
  { path: "/health" },
  { path: "/health/" },
  { path: "/heal%74h" },
  { path: "/HEALTH" },
  { path: "/health?a=1&a=2&_rsc=x" },
  { method: "HEAD", path: "/health" },
  { method: "OPTIONS", path: "/health" },
  { method: "DELETE", path: "/health" },
  { path: "/.well-known/security.txt" },
  { path: "/docs/errors", headers: { "Accept-Encoding": "gzip" } },
  { path: "/docs/errors", headers: { "Accept-Encoding": "br, gzip;q=0.5" } },
  { path: "/docs/errors", headers: { "Accept-Encoding": "deflate" } },
  { method: "HEAD", path: "/docs/errors", headers: { "Accept-Encoding": "gzip" } },
  { path: "/api/v1/openapi.json", headers: { "Accept-Encoding": "gzip" } },
  { path: "/api/v1/openapi.json" },
  { path: "/nothing", headers: HTML },
  { path: "/nothing/at%20all" },
  { path: "/a%2Fb/c" },
  { method: "OPTIONS", path: "/nothing" },
  { path: "/api" },
  { path: "/api/" },
  { path: "/api/nothing" },
  { path: "/api%2Fv1/wallet", headers: key() },
  { path: "/api/v1/wallet" },
  { path: "/api/v1/wallet", headers: { ...key(), "X-Api-Secret": "wrong" } },
  { path: "/api/v1/wallet", headers: key() },
  { path: "/api/v1/wallet?at=yesterday", headers: key() },
  { method: "HEAD", path: "/api/v1/wallet", headers: key() },
  { method: "OPTIONS", path: "/api/v1/wallet" },
  { method: "PUT", path: "/api/v1/wallet", headers: key() },
  { path: "/api/v1/vtu/data-plans", headers: key() },
  { path: "/api/v1/vtu/data-plans", headers: { ...key(), "If-None-Match": "*" } },
  { path: "/api/v1/checkout", headers: { ...key(), "Accept-Encoding": "gzip" } },
  { path: `/api/v1/checkout/status?reference=${pending}`, headers: key() },
  { path: `/api/v1/virtual-cards/${card}`, headers: key() },
  { path: "/api/v1/virtual-cards/%C3%A4", headers: key() },
  { path: `/api/v1/virtual-cards/${card}/operations/none`, headers: key() },
  { method: "POST", path: CREATE, headers: key() },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE }, body: "{" },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE }, body: '{"amount":"x"}' },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE }, body: '{"amount":1}', inChunks: true },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE, ...replayed }, body: '{"amount":5000}' },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE, ...replayed }, body: '{"amount":6000}' },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE, Expect: "100-continue" }, body: '{"amount":2}' },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE, "Content-Encoding": "gzip" }, body: "x" },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE }, body: `{"x":"${"x".repeat(65_000)}"}`, inChunks: true },
  { method: "POST", path: CREATE, headers: { ...key(), ...JSON_TYPE }, body: `{"x":"${"x".repeat(70_000)}"}`, inChunks: true },
  { path: `/pay/${pending}`, headers: { ...HTML, "Accept-Encoding": "gzip, deflate, br" } },
  { path: `/pay/${pending}?lang=pcm`, headers: HTML },
  { path: `/pay/${paid}`, headers: HTML },
  { method: "HEAD", path: `/pay/${paid}` },
  { path: "/pay/none", headers: HTML },
  { path: "/pay/a%2Fb", headers: HTML },
  { path: "/pay", headers: HTML },
  { path: `/pay/${pending}/qr.svg`, headers: { "Accept-Encoding": "gzip" } },
  { path: `/pay/${pending}/preview.png` },
  { method: "POST", path: `/pay/${pending}/status`, headers: FORM_TYPE, body: "" },
  { method: "POST", path: `/pay/${pending}/activity`, headers: { ...FORM_TYPE, ...HTML }, body: "kind=sent" },
  { method: "POST", path: `/pay/${pending}/activity`, headers: FORM_TYPE, body: "kind=nonsense" },
  { path: "/pay/assets/none.js" },
  { method: "POST", path: "/api/providers/sandbox/notices", headers: JSON_TYPE, body: "{}" },
  { method: "POST", path: "/sandbox/bank/none", headers: JSON_TYPE, body: "{}" },
  { method: "POST", path: "/sign-in/send", headers: FORM_TYPE, body: "email=a%40b.example&password=wrong" },
  { method: "POST", path: "/sign-out", headers: FORM_TYPE, body: "" },
  { path: "/sign-in", headers: HTML },
  { path: "/sign-up", headers: HTML },
  { path: "/test", headers: HTML },
  { path: "/test/links/new/preview?amount=5000", headers: session() },
  { path: "/test/settings/brand/preview", headers: session() },
  { method: "POST", path: "/test/settings/brand/preview", headers: { ...session(), ...JSON_TYPE }, body: '{"colour":"#112233"}' },
  { method: "POST", path: "/b/own/test/settings/brand/preview", headers: { ...session(), ...FORM_TYPE }, body: "colour=%23112233" },
  { path: "/b/own/test/links/new/preview?amount=5000", headers: session() },
  { path: "/test/links/new/preview?amount=5000", headers: HTML },
  { path: "/t%65st/links/new/preview", headers: session() },
  { path: `/api/dashboard/exports/payment-links?merchant=${shop.merchant.id}`, headers: session() },
  { path: `/api/dashboard/exports/payment-links?merchant=${shop.merchant.id}`, headers: { ...session(), "Accept-Encoding": "gzip" } },
  { path: "/api/dashboard/events", headers: { ...session(), "Oja-Merchant": shop.merchant.id } },
  { path: "/api/dashboard/events" },
  { path: "/favicon.ico" },
  { path: "/_next/static/none.js" },
  { method: "POST", path: "/test", headers: FORM_TYPE, body: "" },
];

interface Answer {
  status: string;
  headers: string[];
  body: string;
  /** Whether the server asked for the body of a request that waited for that. */
  isContinued: boolean;
  /** Whether a body of more than a kilobyte is compressed: by gzip at Next, and where the client takes it, by Brotli here. */
  isCompressed: boolean;
}

function exchange(app: App, { method = "GET", path, headers = {}, body = "", inChunks = false }: Sent): Promise<Answer> {
  const length = method === "GET" || method === "HEAD" || inChunks ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const origin = headers["Sec-Fetch-Site"] || headers["Content-Type"] === FORM_TYPE["Content-Type"] ? { Origin: SETTINGS.BASE_URL } : {};
  return new Promise((done, fail) => {
    let isContinued = false;
    const sent = request(
      `${app.url}${path}`,
      { method, agent: false, headers: { Host: HOST, ...length, ...origin, ...headers } },
      async (answer) => {
        const { statusCode, statusMessage, headers: received, rawHeaders } = answer;
        const whole = decoded(await buffer(answer), received);
        done({
          status: `${statusCode} ${statusMessage}`,
          headers: pairsOf(rawHeaders)
            .map(plain)
            .filter((line) => line !== "vary: " && !OF_FRAMING.test(line))
            .sort(),
          body: plain(whole),
          isContinued,
          isCompressed: whole.length > KILOBYTE && received["content-encoding"] !== undefined,
        });
      },
    );
    sent.on("error", fail);
    sent.on("continue", () => {
      isContinued = true;
      sent.end(body);
    });
    if (headers.Expect) sent.flushHeaders();
    else if (inChunks) {
      sent.write(body.slice(0, 5));
      sent.end(body.slice(5));
    } else sent.end(body);
  });
}

const pairsOf = (raw: string[]): string[] => raw.flatMap((name, i) => (i % 2 === 0 ? [`${name.toLowerCase()}: ${raw[i + 1]}`] : []));

function decoded(whole: Buffer, { "content-encoding": encoding, "content-type": type = "" }: IncomingHttpHeaders): string {
  const open = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }[encoding ?? ""];
  const bytes = open && whole.length > 0 ? open(whole) : whole;
  return type.startsWith("image/png") ? bytes.toString("base64") : bytes.toString("utf8");
}

/** Ours sends a small answer whole, with its length, and does not compress it. */
const KILOBYTE = 1_024;
const OF_FRAMING = /^(?:transfer-encoding|content-length|content-encoding): /;

/** Next says of every answer that it varies by the headers of its router. No route of ours does. */
const VARY_OF_NEXT = /^vary: rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch(?:, )?/;

/** Replaces all that two answers to the same request may differ in: ids of requests, times, nonces and seals. */
function plain(text: string): string {
  return text
    .replace(/^date: .*/, "date")
    .replaceAll(/req_[0-9A-Z]{26}/g, "req")
    .replaceAll(/nonce[-=\\":]+[\w+/=]+/g, "nonce")
    .replace(VARY_OF_NEXT, "vary: ")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, "time")
    .replaceAll(/\d\d:\d\d(?::\d\d)?/g, "clock")
    .replaceAll(/(now(?:="|":))\d+/g, "$1")
    .replaceAll(/(r=)\d+(;t=)\d+/g, "$1$2")
    .replaceAll(/(oja-(?:form|ticket)=)[^;]+/g, "$1");
}

test("each of eighty requests gets the same answer from our server as from Next alone, so any host of Next serves the routes", async () => {
  const different: unknown[] = [];
  for (const sent of requests()) {
    const [theirs, own] = [await exchange(nextAlone, sent), await exchange(ours, sent)];
    if (JSON.stringify(theirs) !== JSON.stringify(own)) different.push(differenceOf(sent, theirs, own));
  }
  expect(different).toEqual([]);
}, 240_000);

function differenceOf(sent: Sent, theirs: Answer, own: Answer) {
  const [a, b] = [JSON.stringify(theirs.body), JSON.stringify(own.body)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return {
    ...{
      request: `${sent.method ?? "GET"} ${sent.path}`,
      status: [theirs.status, own.status],
      continued: [theirs.isContinued, own.isContinued],
      compressed: [theirs.isCompressed, own.isCompressed],
    },
    onlyNext: theirs.headers.filter((each) => !own.headers.includes(each)),
    onlyOurs: own.headers.filter((each) => !theirs.headers.includes(each)),
    bodies: a === b ? "same" : [a.slice(Math.max(0, at - 60), at + 100), b.slice(Math.max(0, at - 60), at + 100)],
  };
}
