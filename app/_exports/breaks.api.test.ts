import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { leastIdAt } from "#lib/ids.ts";
import { HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import { storeLinks } from "#services/checkout/links/links-in-bulk.fixture.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { RawConnection } from "#testing/raw-http.ts";
import { until } from "#testing/until.ts";
import { download, exportPath, linkHeaders, openExport, rowsOf } from "./export-client.fixture.ts";

withDatabase();
const app = withApp();

/** About 40 MB, and compressed 13 MB, because no two notes are alike: more than the buffers between the app and a client that does not read. */
const MANY = 20_000;
let shop: TestMerchant;
let member: TestMember;
let links: string;

beforeAll(async () => {
  shop = await aMerchant();
  links = exportPath("payment-links", { merchant: shop.merchant.id });
  await storeLinks(shop.merchant.id, { count: MANY, everyMs: MINUTE_MS });
  await sql()`update payment_links set checkout_url = 'https://bank.example/pay', description = repeat('ọ', 200), customer_name = repeat('ọ', 100), metadata = jsonb_build_object('note', (select string_agg(md5(id || n), '') from generate_series(1, 40) n))
    where merchant_id = ${shop.merchant.id}`;
}, 60_000);

beforeEach(async () => {
  member = await aMember(shop.merchant.businessId, "owner");
});

const leaseOf = ({ userId }: TestMember) => sql()`select lease from export_leases where user_id = ${userId}`;
const isFree = async () => (await leaseOf(member)).length === 0;
const requestIdOf = (response: Response) => response.headers.get("request-id") ?? "";

async function expectRecorded(requestId: string, status: number, code: string | null): Promise<void> {
  const rows = () => sql()`select status, error_code from request_log where id = ${requestId}`;
  await until(async () => (await rows()).length === 1);
  expect(await rows()).toEqual([{ status, error_code: code }]);
}

/** The oldest of many rows has a time that no file can have. The others are of now. */
const timeOf = () => sql()`case n when 1 then 'infinity'::timestamptz else now() end`;

test("20,000 rows come whole, in order, and the member may export again at once", async () => {
  const file = await download(app, member, links);
  const created = rowsOf(file).map(({ Created }) => Created);
  expect(created).toHaveLength(MANY);
  expect(created).toEqual(created.toSorted().reverse());
  expect(await isFree()).toBe(true);
  expect((await download(app, member, exportPath("wallet", { merchant: shop.merchant.id }))).status).toBe(200);
});

test("a member's second export is refused until the first has ended, in any mode, and a colleague's is not", async () => {
  const first = await openExport(app, member, links);
  const colleague = await aMember(shop.merchant.businessId, "viewer");
  const others = exportPath("wallet", { merchant: shop.liveMerchantId });
  const second = await download(app, member, others, { changes: { Accept: "*/*" } });
  expect({ status: second.status, code: JSON.parse(second.text).error.code }).toEqual({ status: 429, code: "RATE_LIMITED" });
  expect(second.headers.get("retry-after")).toBe("10");
  expect(second.text).toContain("Another download of yours is still running");
  expect((await download(app, colleague, others)).status).toBe(200);
  expect(rowsOf({ text: await first.text() })).toHaveLength(MANY);
  expect((await download(app, member, others)).status).toBe(200);
});

test("of five exports that one member starts at once, one runs", async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => openExport(app, member, links)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429]);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  await until(isFree);
});

test.each(["identity", "gzip"])(
  "a failure in the middle breaks the download (%s), is logged with the request's id, and frees the member",
  async (encoding) => {
    const response = await openExport(app, member, links, { changes: { "Accept-Encoding": encoding } });
    await sql()`alter table payment_links rename to hidden`;
    await expect(response.text()).rejects.toThrow();
    await sql()`alter table hidden rename to payment_links`;
    const id = requestIdOf(response);
    await expectRecorded(id, 500, "INTERNAL_ERROR");
    const lines = (await app.wholeLog()).split("\n").filter((line) => line.includes(id));
    expect(lines.map((line) => JSON.parse(line).msg).toSorted()).toEqual([
      "a download failed before its end",
      "a request failed",
      "request",
    ]);
    await until(isFree);
    expect((await download(app, member, links)).status).toBe(200);
  },
);

test("a failure before the first row is a page that says so", async () => {
  await sql()`alter table payment_links rename to hidden`;
  const { status, text, headers } = await download(app, member, links);
  await sql()`alter table hidden rename to payment_links`;
  expect(status).toBe(500);
  expect(text).toContain("Something failed on our side");
  expect(headers.get("content-disposition")).toBeNull();
  expect(await isFree()).toBe(true);
});

test("a failed download to an HTTP/1.0 proxy resets the connection, because a normal end would look like the end of the file", async () => {
  const connection = new RawConnection(app.url);
  const errors: string[] = [];
  connection.socket.on("error", ({ code }: NodeJS.ErrnoException) => errors.push(code ?? ""));
  const headers = Object.entries(linkHeaders(member)).map(([name, value]) => `${name}: ${value}`);
  connection.send(`GET ${links} HTTP/1.0\r\nHost: ${new URL(app.url).host}\r\n${headers.join("\r\n")}\r\n\r\n`);
  await connection.answered(/Created,/);
  connection.socket.pause();
  expect(connection.received).not.toMatch(/transfer-encoding/i);
  await sql()`alter table payment_links rename to hidden`;
  connection.socket.resume();
  await connection.closed();
  await sql()`alter table hidden rename to payment_links`;
  expect(errors).toEqual(["ECONNRESET"]);
});

test("a download that its client leaves stops reading and frees the member", async () => {
  const leaving = new AbortController();
  const response = await openExport(app, member, links, { signal: leaving.signal });
  expect(await isFree()).toBe(false);
  leaving.abort();
  await until(isFree);
  await expectRecorded(requestIdOf(response), 499, null);
});

test("the export stops reading rows while its client does not read", async () => {
  const response = await openExport(app, member, links);
  const prolonged = () => sql()<{ expires_at: string }[]>`select expires_at from export_leases where user_id = ${member.userId}`;
  // Each page prolongs the lease, so a lease that stays the same is a reading that waits.
  let seen: string | undefined;
  let unchanged = 0;
  const waits = async () => {
    const now = String((await prolonged())[0]?.expires_at);
    unchanged = now === seen ? unchanged + 1 : 0;
    seen = now;
    return unchanged === 20;
  };
  await until(waits);
  expect(await isFree()).toBe(false);
  expect(rowsOf({ text: await response.text() })).toHaveLength(MANY);
});

test.each([
  ["the session ends", () => sql()`update sessions set ended_at = now() where id = ${member.sessionId}`, 401, "MISSING_CREDENTIALS"],
  ["the member is removed", () => sql()`delete from members where user_id = ${member.userId}`, 404, "RESOURCE_NOT_FOUND"],
  [
    "the area is switched off",
    () => sql()`delete from merchant_areas where merchant_id = ${shop.merchant.id} and area = 'checkout'`,
    403,
    "SERVICE_NOT_ENABLED",
  ],
] as const)("a download breaks when %s", async (_name, change, status, code) => {
  const response = await openExport(app, member, links);
  await change();
  // Sessions and memberships are believed for a second. The download waits for its client meanwhile.
  const page = pageClient(app, member, shop.merchant.id);
  await until(async () => (await page("GET", "/api/v1/checkout")).status === status);
  await expect(response.text()).rejects.toThrow();
  await expectRecorded(requestIdOf(response), status, code);
  await until(isFree);
  await sql()`insert into merchant_areas (merchant_id, area) values (${shop.merchant.id}, 'checkout') on conflict do nothing`;
});

test("the lease of an ended process expires; an export whose lease is superseded breaks, and leaves the newer lease alone", async () => {
  await sql()`insert into export_leases values (${shop.merchant.businessId}, ${member.userId}, 'of a process that ended', now() + interval '1 minute')`;
  // The area of the test before is believed to be off for a second.
  await until(async () => (await openExport(app, member, links)).status === 429);
  await sql()`update export_leases set expires_at = now() - interval '1 second' where user_id = ${member.userId}`;
  const older = await openExport(app, member, links);
  expect(older.status).toBe(200);
  await sql()`update export_leases set lease = 'of a newer one' where user_id = ${member.userId}`;
  await expect(older.text()).rejects.toThrow();
  await expectRecorded(requestIdOf(older), 429, "RATE_LIMITED");
  expect(await leaseOf(member)).toEqual([{ lease: "of a newer one" }]);
});

describe.each([
  [
    "events",
    (merchantId: string) => sql()`
      insert into events (merchant_id, sequence, id, type, data, created_at)
      select ${merchantId}, n, 'evt_' || n, 'checkout.success', json_build_object('reference', repeat('x', 1000)), ${timeOf()} from generate_series(1, ${MANY}) n`,
  ],
  [
    "webhook-deliveries",
    (merchantId: string) => sql()`
      insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence, created_at)
      select ${merchantId}, 'dlv_' || lpad(n::text, 9, '0'), 'we_deleted', 'evt_' || n, repeat('x', 1000), n, ${timeOf()} from generate_series(1, ${MANY}) n`,
  ],
  [
    "requests",
    (merchantId: string) => sql()`
      insert into request_log (merchant_id, id, caller, api_key_id, method, path, status, duration_ms, client_address, created_at)
      select ${merchantId}, ${leastIdAt("request", Date.now() - HOUR_MS)} || lpad(n::text, 16, '0'), 'key', 'key_x', 'GET', '/' || repeat('x', 1000), 200, 1, '::1',
        ${timeOf()} from generate_series(1, ${MANY}) n`,
  ],
] as const)("a download of %s", (list, store) => {
  let path: string;
  let developer: TestMember;
  beforeAll(async () => {
    const { merchant } = await aMerchant();
    await store(merchant.id);
    path = exportPath(list, { merchant: merchant.id });
    developer = await aMember(merchant.businessId, "developer");
  }, 60_000);

  test("breaks at a row that cannot be read, after the rows before it", async () => {
    const response = await openExport(app, developer, path);
    expect(response.status).toBe(200);
    const begun: string[] = [];
    const reading = async () => {
      for await (const part of response.body ?? []) begun.push(new TextDecoder().decode(part));
    };
    await expect(reading()).rejects.toThrow();
    expect(rowsOf({ text: begun.join("") }).length).toBeGreaterThan(MANY / 2);
    await expectRecorded(requestIdOf(response), 500, "INTERNAL_ERROR");
    await until(async () => (await leaseOf(developer)).length === 0);
  });

  test("breaks when its member is no longer a developer", async () => {
    const response = await openExport(app, developer, path);
    await sql()`update members set role = 'viewer' where user_id = ${developer.userId}`;
    const { searchParams } = new URL(path, app.url);
    const page = pageClient(app, developer, searchParams.get("merchant") ?? "");
    await until(async () => (await page("GET", "/api/dashboard/requests")).status === 403);
    await expect(response.text()).rejects.toThrow();
    await expectRecorded(requestIdOf(response), 403, "PERMISSION_DENIED");
  });
});
