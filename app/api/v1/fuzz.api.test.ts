import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { openApiDocument } from "#app/_http/openapi.ts";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { aCard, addToWallet } from "#services/cards/cards.fixture.ts";
import { aLink } from "#services/checkout/checkout.fixture.ts";
import { AGGREGATORS, aVtuMerchant } from "#services/vtu/vtu.fixture.ts";
import { apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isExhaustive } from "#testing/exhaustive.ts";
import { bodyText, hostile, inUrl, type Schema, type Schemas, valueFor } from "#testing/fuzz/requests.ts";
import { withVtuSweeps } from "#testing/vtu-sweeps.ts";
import { endpoints } from "./endpoints.ts";

withDatabase();
const app = withApp({ PUBLIC_REQUESTS_PER_SECOND: "1000000", TRUSTED_PROXIES: "127.0.0.1, ::1" }, { pages: true });
withCardSweeps();
withVtuSweeps();

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);
const REQUESTS_OF_THE_API = isExhaustive ? 22_000 : 2_000;
const OTHER_REQUESTS = isExhaustive ? 9_000 : 1_500;
const MAX_AT_ONCE = 12;

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: Record<string, { description: string }>;
}
const { paths = {}, components } = openApiDocument(endpoints, "http://oja.example");
const schemas = (components?.schemas ?? {}) as Schemas;

let api: ReturnType<typeof apiClient>;
/** Values that can succeed, by the name of their parameter or field. */
let known: Record<string, fc.Arbitrary<unknown>>;
let endedCard: string;

beforeAll(async () => {
  const shop = await aVtuMerchant({ aggregator: AGGREGATORS[0] });
  await addToWallet(shop, naira(10_000_000));
  await sql()`update merchants set requests_per_second = 1000000, request_burst = 1000000 where id = ${shop.merchant.id}`;
  api = apiClient(app, shop.key);
  const links = await Promise.all([aLink(shop), aLink(shop, { callback_url: "https://shop.example/" })]);
  const cards = [await aCard(shop, { balance: 500 }), await aCard(shop, { balance: 100 })];
  endedCard = (await aCard(shop, { balance: 20 })).id;
  const products = await sql()<{ id: number; service: string }[]>`select id, service from products where provider = ${AGGREGATORS[0]}`;
  const cursor: string = (await api.get("/api/v1/checkout?limit=1")).body.pagination.next_cursor;
  const idsOf = (service: string) => fc.constantFrom(...products.filter((each) => each.service === service).map(({ id }) => id));
  known = {
    reference: fc.constantFrom(...links.map(({ reference }) => reference)),
    id: fc.constantFrom(...cards.flatMap(({ id, cardholderId }) => [id, String(cardholderId)])),
    cardholder_id: fc.constantFrom(...cards.map(({ cardholderId }) => cardholderId)),
    phone: fc.integer({ min: 0, max: 99_999 }).map((n) => `080312${String(n).padStart(5, "5")}`),
    meter_number: fc.integer({ min: 0, max: 99_999 }).map((n) => `450312${String(n).padStart(5, "5")}`),
    data_plan_id: idsOf("data"),
    cable_plan_id: idsOf("cable"),
    disco_id: idsOf("electricity"),
    exam_type_id: idsOf("exam"),
    quantity: fc.constantFrom(1, 2, 20),
    cursor: fc
      .tuple(fc.constant(cursor), fc.nat({ max: cursor.length }), fc.constantFrom("", "A", ".", "v1"))
      .map(([real, at, extra]) => `${real.slice(0, at)}${extra}`),
    // The webhooks of this test reach no server.
    url: fc.constant("https://shop.example/webhooks"),
  };
}, 120_000);

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** Idempotency-Keys: good ones, bad ones and sometimes none. */
const keys = fc.option(fc.constantFrom("k1", "k2", "k 3", "ключ", "x".repeat(300)), { nil: undefined, freq: 6 });

/** Returns a value as a part of a path. A client takes `.` and `..` for folders, so with them it would ask for another path. */
function segment(value: unknown): string {
  const text = inUrl(value);
  return text === "" || text === "." || text === ".." ? "x" : text;
}

/** Returns requests to one operation. Every now and then a value, at any place, is hostile. */
function requestsOf(path: string, method: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Request> {
  const query = parameters.filter((each) => each.in === "query");
  const field = ({ name, schema }: { name: string; schema: Schema }) => valueFor(schema, schemas, known, name);
  const queries = fc.array(fc.oneof({ weight: 5, arbitrary: query.length > 0 ? fc.constantFrom(...query) : fc.constant(undefined) }), {
    maxLength: 5,
  });
  const search = queries.chain((some) =>
    fc.tuple(...some.map((each) => (each ? fc.tuple(fc.constant(each.name), field(each)) : fc.tuple(fc.constant("utm"), hostile)))),
  );
  const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  // One card exists to be terminated. The others stay active for every other operation.
  const ids = path.endsWith("/terminate") ? { ...known, id: fc.constant(endedCard) } : known;
  const values = fc.tuple(...parts.map((name) => valueFor({ type: "string" }, schemas, ids, name)));
  const schema = requestBody?.content["application/json"].schema;
  const raw =
    method === "get" || method === "delete"
      ? fc.constant(undefined)
      : bodyText(schema ? valueFor(schema, schemas, known) : fc.constant({}));
  const type = fc.oneof(
    { weight: 20, arbitrary: fc.constant("application/json") },
    { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/json;charset=x", "") },
  );
  return fc.tuple(values, search, raw, keys, type).map(([filled, pairs, body, key, contentType]) => {
    let i = 0;
    const target = path.replaceAll(/\{\w+\}/g, () => segment(filled[i++]));
    const queryText = pairs.map(([name, value]) => `${name}=${inUrl(value)}`).join("&");
    const headers = { "Content-Type": contentType, ...(key !== undefined && /^[\x20-\x7e]*$/.test(key) && { "Idempotency-Key": key }) };
    return {
      method: method.toUpperCase(),
      path: `${target}${queryText && `?${queryText}`}`,
      headers,
      ...(body !== undefined && { raw: body }),
    };
  });
}

/** Sends all, at most `MAX_AT_ONCE` at a time. */
async function sendAll<T>(all: T[], send: (one: T) => Promise<void>): Promise<void> {
  const queue = all.values();
  await Promise.all(
    Array.from({ length: MAX_AT_ONCE }, async () => {
      for (const one of queue) await send(one);
    }),
  );
}

test(`${REQUESTS_OF_THE_API} requests with a valid key are answered as declared, none with a 5xx unless a provider is late`, async () => {
  const statuses = new Map<string, number>();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
  );
  const requestsPerOperation = Math.ceil(REQUESTS_OF_THE_API / operations.length);
  const all = operations.flatMap(({ path, method, operation }, i) =>
    fc
      .sample(requestsOf(path, method, operation), { numRuns: requestsPerOperation, seed: SEED + i })
      .map((request) => ({ operation, request })),
  );
  expect(all.length).toBeGreaterThanOrEqual(REQUESTS_OF_THE_API);
  // This order mixes the endpoints. It is the same for the same seed.
  const mixed = all.map((one, i) => ({ one, at: (i * 7_919) % all.length })).toSorted((a, b) => a.at - b.at);
  await sendAll(mixed, async ({ one: { operation, request } }) => {
    const { method, path, headers, raw } = request;
    const description = `${method} ${path} ${JSON.stringify(headers)} ${typeof raw === "string" ? raw.slice(0, 2_000) : "bytes"}`;
    const answer = await api.call(method, path, { headers, ...(raw !== undefined && { raw }) }).catch((error) => {
      throw new Error(`${error}\n${description}`);
    });
    // On a busy machine a sandbox provider may take longer than 5 s. An endpoint that declares PROVIDER_ERROR may then say so.
    if (answer.body.error?.code !== "PROVIDER_ERROR") expect(answer.status, description).toBeLessThan(500);
    const declared = operation.responses[String(answer.status)]?.description ?? "";
    if (answer.status >= 400 && path.startsWith("/api/v1"))
      expect(`${declared}, RESOURCE_NOT_FOUND, METHOD_NOT_ALLOWED`, description).toContain(answer.body.error.code);
    const key = `${answer.status} ${answer.body.error?.code ?? ""}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  });
  console.info(Object.fromEntries([...statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  expect(statuses.get("502 PROVIDER_ERROR") ?? 0).toBeLessThan(all.length / 200);
  // Enough requests passed the checks and did their work.
  expect((statuses.get("200 ") ?? 0) + (statuses.get("201 ") ?? 0)).toBeGreaterThan(REQUESTS_OF_THE_API / 20);
  await expectInvariantsToHold();
}, 1_800_000);

const OTHER_PATHS = fc.oneof(
  fc.constantFrom("/", "/health", "/docs/errors", "/api", "/api/v1", "/api/v1/openapi.json", "/_next/image", "/favicon.ico", "/index"),
  fc
    .constantFrom("bank", "bank-plain", "issuer", "issuer-async", "aggregator", "aggregator-vtpass")
    .chain((party) => hostile.map((operation) => `/sandbox/${party}/${inUrl(operation)}`)),
  fc
    .constantFrom("", "/status", "/activity", "/simulate", "/qr.svg", "/preview.png")
    .chain((leaf) => hostile.map((reference) => `/pay/${inUrl(reference)}${leaf}`)),
  fc.constantFrom("assets", "logos").chain((folder) => hostile.map((file) => `/pay/${folder}/${inUrl(file)}`)),
  hostile.map((reference) => `/sandbox/bank/checkout/${inUrl(reference)}`),
  fc
    .constantFrom("notices", "card-notices", "vtu-notices")
    .chain((leaf) =>
      fc
        .oneof(fc.constantFrom("sandbox", "sandbox-async", "sandbox-vtpass"), hostile)
        .map((provider) => `/api/providers/${inUrl(provider)}/${leaf}`),
    ),
  fc.array(hostile, { maxLength: 6 }).map((parts) => `/${parts.map(inUrl).join("/")}`),
);

test(`${OTHER_REQUESTS} requests to every other path are answered, none with a 5xx`, async () => {
  const link = fc.constant(known.reference).chain((reference) => reference ?? fc.constant("x"));
  const onLinks = fc
    .tuple(link, fc.constantFrom("", "/status", "/activity", "/qr.svg", "/preview.png"))
    .map(([reference, leaf]) => `/pay/${reference}${leaf}`);
  const header = hostile.map((value) =>
    (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/[^\x20-\x7e]/g, "").slice(0, 2_000),
  );
  const requests = fc.record({
    path: fc.tuple(
      fc.oneof({ weight: 3, arbitrary: OTHER_PATHS }, { weight: 1, arbitrary: onLinks }),
      fc.array(fc.tuple(fc.constantFrom("lang", "simulate", "stay", "url", "x"), hostile), { maxLength: 4 }),
    ),
    method: fc.constantFrom("GET", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"),
    headers: fc.record(
      {
        accept: fc.constantFrom("text/html", "*/*"),
        "accept-language": header,
        cookie: header,
        "x-forwarded-for": header,
        "if-none-match": header,
        "x-sandbox-signature": header,
        "content-type": header,
      },
      { requiredKeys: [] },
    ),
    body: fc.oneof(
      hostile.map((value) => JSON.stringify(value)),
      fc
        .tuple(fc.constantFrom("kind", "what", "amount", "seen", "sender"), hostile)
        .map(([name, value]) => `${name}=${inUrl(value)}&kind=sent`),
      fc.uint8Array({ maxLength: 200 }),
    ),
  });
  const statuses = new Map<number, number>();
  await sendAll(fc.sample(requests, { numRuns: OTHER_REQUESTS, seed: SEED }), async ({ path: [path, query], method, headers, body }) => {
    const search = query.map(([name, value]) => `${name}=${inUrl(value)}`).join("&");
    const target = `${path}${search && `?${search}`}`;
    const hasBody = !["GET", "HEAD"].includes(method);
    const response = await fetch(`${app.url}${target}`, {
      method,
      headers,
      redirect: "manual",
      ...(hasBody && { body: body as BodyInit }),
    });
    await response.arrayBuffer();
    expect(response.status, `${method} ${target} ${JSON.stringify(headers)} ${body}`).toBeLessThan(500);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  });
  console.info(Object.fromEntries(statuses));
  await expectInvariantsToHold();
}, 1_800_000);
