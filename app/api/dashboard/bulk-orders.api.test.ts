import { beforeAll, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { pageHeaders } from "#app/_http/page-headers.fixture.ts";
import { buyDueBulkRows, getBulkOrder, listBulkOrders, listBulkRows } from "#services/bulk/index.ts";
import { systemContext } from "#services/context.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aPhone, aVtuMerchant } from "#services/vtu/vtu.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();
const app = withApp();

const PATH = "/api/dashboard/bulk-orders";
let shop: TestMerchant;
let owner: TestMember;
beforeAll(async () => {
  shop = await aVtuMerchant();
  owner = await aMember(shop.merchant.businessId, "owner");
});

const page = (method: string, path: string, body?: unknown, { member = owner, merchantId = shop.merchant.id, key = "" } = {}) =>
  pageClient(app, member, merchantId)(method, `${PATH}${path}`, { body, changes: { ...(key && { "Idempotency-Key": key }) } });
const upload = (raw: string | Uint8Array<ArrayBuffer>, changes: Record<string, string> = {}, member = owner) =>
  apiClient(app, undefined).call("POST", PATH, {
    raw,
    headers: { ...pageHeaders(app, member.token, shop.merchant.id), "Content-Type": "text/csv; charset=utf-8", ...changes },
  });
const aFile = (rows = 2) => ["Phone,Network,Amount", ...Array.from({ length: rows }, () => `${aPhone()},MTN,100`)].join("\r\n");
const aDraft = async () => (await upload(aFile())).body.data;

test("a file is uploaded, confirmed, bought and listed with the references of its purchases, and a replay shows the order as it is", async () => {
  const uploaded = await upload(aFile(3));
  expect(uploaded).toMatchObject({ status: 201, body: { data: { status: "draft", service: "airtime", to_buy: 300, rows: { ready: 3 } } } });
  const { id } = uploaded.body.data;
  const confirm = () => page("POST", `/${id}/confirm`, { expected_total: 300 }, { key: "confirm-once" });
  expect(await confirm()).toMatchObject({ status: 200, body: { data: { status: "running" } } });
  await until(async () => {
    await buyDueBulkRows(systemContext("test"));
    return (await getBulkOrder(shop.ctx, id)).status === "done";
  });
  const again = await confirm();
  expect(again).toMatchObject({ status: 200, body: { data: { status: "done", spent: 300, rows: { bought: 3 } } } });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  const first = await listBulkRows(shop.ctx, id, { after: 0, limit: 2 });
  expect(first.rows.map(({ row, status }) => [row, status])).toEqual([
    [2, "bought"],
    [3, "bought"],
  ]);
  const rest = await listBulkRows(shop.ctx, id, { status: "bought", after: first.nextAfter ?? 0, limit: 2 });
  expect(rest).toMatchObject({ rows: [{ row: 4, purchase: { status: "success" } }], nextAfter: null });
  expect(await listBulkOrders(shop.ctx, { limit: 1 })).toMatchObject({ items: [{ id }], nextCursor: null });
});

test("an upload that is sent five times at once with one Idempotency-Key is stored once, and another file under the key is refused", async () => {
  const file = aFile();
  const key = { "Idempotency-Key": "one-upload" };
  const answers = await Promise.all(times(5, () => upload(file, key)));
  for (const answer of answers) expect(answer.status === 201 || answer.body.error.code === "REQUEST_IN_PROGRESS").toBe(true);
  const replay = await upload(file, key);
  const ids = new Set([...answers, replay].flatMap(({ status, body }) => (status === 201 ? [body.data.id] : [])));
  expect(ids.size).toBe(1);
  expectError(await upload(aFile(), key), "IDEMPOTENCY_KEY_REUSED");
});

test("a file may have at most 256 KB, with or without a Content-Length, and every other body 64 KB", async () => {
  const filled = (bytes: number) => `Phone,Amount,Note\n${aPhone()},100,"`.padEnd(bytes - 2, "x").concat('"\n');
  expect((await upload(filled(256 * 1024))).status).toBe(201);
  expectError(await upload(filled(256 * 1024 + 1)), "PAYLOAD_TOO_LARGE");
  const answer = await fetch(`${app.url}${PATH}`, {
    method: "POST",
    headers: { ...pageHeaders(app, owner.token, shop.merchant.id), "Content-Type": "text/csv" },
    body: new Blob([filled(300 * 1024)]).stream(),
    duplex: "half",
  } as RequestInit);
  expect(answer.status).toBe(413);
  const { id } = await aDraft();
  expectError(await page("POST", `/${id}/confirm`, { expected_total: 200, note: "x".repeat(70_000) }), "PAYLOAD_TOO_LARGE");
});

test("other media types, other encodings and control characters are refused", async () => {
  expectError(await upload(aFile(), { "Content-Type": "application/json" }), "UNSUPPORTED_MEDIA_TYPE");
  expectError(await upload(Uint8Array.from([0x70, 0xff, 0xfe])), "VALIDATION_ERROR");
  expectError(await upload(`${aFile()}\u0000`), "VALIDATION_ERROR");
  expectError(await upload(""), "VALIDATION_ERROR");
});

/** Returns a text in UTF-16 behind its byte order mark. */
function utf16(text: string, isBigEndian = false): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));
  return isBigEndian ? new Uint8Array(Buffer.from(bytes).swap16()) : bytes;
}

test.each([false, true])("a file in UTF-16 with its mark is read as its text, with big-endian %j", async (isBigEndian) => {
  const sent = await upload(utf16(`Phone\tNetwork\tAmount\tName\r\n${aPhone()}\tMTN\t100\tṢadé`, isBigEndian));
  expect(sent).toMatchObject({ status: 201, body: { data: { service: "airtime", to_buy: 100, rows: { total: 1, ready: 1 } } } });
  const { rows } = await listBulkRows(shop.ctx, sent.body.data.id, { after: 0, limit: 1 });
  expect(rows[0]?.cells.Name).toBe("Ṣadé");
});

test.each([
  [
    "a file in Windows-1252",
    Buffer.from(`Phone,Amount,Name\r\n${aPhone()},100,Ren\u00e9`, "latin1"),
    /written in Windows-1252.*Save it as CSV UTF-8/,
  ],
  ["a workbook of a new spreadsheet", Buffer.from("PK\u0003\u0004xl/workbook.xml"), /a workbook of a spreadsheet, not a CSV file/],
  ["a workbook of an old spreadsheet", Buffer.from("d0cf11e0a1b11ae1", "hex"), /a workbook of a spreadsheet, not a CSV file/],
  ["a file in UTF-16 that ends within a character", utf16("Phone,Amount\r\n1,2").slice(0, -1), /begins as UTF-16 and is damaged/],
])("%s is refused, and the message says so", async (_, bytes, message) => {
  const refused = await upload(new Uint8Array(bytes));
  expectError(refused, "VALIDATION_ERROR");
  expect(refused.body.error.message).toMatch(message);
});

test("a confirmation with another total buys nothing, and stop, resume and cancel answer with the order", async () => {
  const { id } = await aDraft();
  expectError(await page("POST", `/${id}/confirm`, { expected_total: 199.99 }), "PRICE_CHANGED");
  expectError(await page("POST", `/${id}/confirm`, { expected_total: "200" }), "VALIDATION_ERROR");
  expectError(await page("POST", `/${id}/resume`, { expected_total: 200 }), "VALIDATION_ERROR");
  expect((await page("POST", `/${id}/confirm`, { expected_total: 200 })).body.data.status).toBe("running");
  expectError(await page("POST", `/${id}/confirm`, { expected_total: 200 }), "VALIDATION_ERROR");
  expect((await page("POST", `/${id}/stop`)).body.data).toMatchObject({ status: "paused", pause: { reason: "stopped", row: null } });
  expect((await page("POST", `/${id}/resume`, { expected_total: 200 })).body.data).toMatchObject({ status: "running", pause: null });
  expectError(await page("POST", `/${id}/cancel`), "VALIDATION_ERROR");
  await page("POST", `/${id}/stop`);
  expect((await page("POST", `/${id}/cancel`)).body.data).toMatchObject({ status: "cancelled", rows: { skipped: 2 } });
  expect((await page("POST", `/${id}/stop`)).body.data.status).toBe("cancelled");
});

test("another merchant's order and the other mode's are not found, and viewers change nothing", async () => {
  const { id } = await aDraft();
  const stranger = await aVtuMerchant();
  const member = await aMember(stranger.merchant.businessId, "owner");
  const acts = [
    ["POST", "/confirm", { expected_total: 200 }],
    ["POST", "/resume", { expected_total: 200 }],
    ["POST", "/stop"],
    ["POST", "/cancel"],
  ] as const;
  const viewer = await aMember(shop.merchant.businessId, "viewer");
  for (const [method, act, body] of acts) {
    expectError(await page(method, `/${id}${act}`, body, { member, merchantId: stranger.merchant.id }), "RESOURCE_NOT_FOUND");
    expectError(await page(method, `/${id}${act}`, body, { member: viewer }), "PERMISSION_DENIED");
  }
  expectError(await upload(aFile(), {}, viewer), "PERMISSION_DENIED");
});

test("of 50 uploads that the members of a business send at once, 30 pass and 20 get 429, and another business does not wait for them", async () => {
  const busy = await aVtuMerchant();
  const members = [await aMember(busy.merchant.businessId, "owner"), await aMember(busy.merchant.businessId, "admin")];
  const uploadOf = ({ token }: { token: string }) =>
    apiClient(app, undefined).call("POST", PATH, {
      raw: "none",
      headers: { ...pageHeaders(app, token, busy.merchant.id), "Content-Type": "text/csv" },
    });
  const startedAt = performance.now();
  const answers = await Promise.all(times(25, () => Promise.all(members.map(uploadOf))));
  const refilled = Math.ceil((performance.now() - startedAt) / 2_000);
  const refused = answers.flat().filter(({ status }) => status === 429);
  expect(refused.length).toBeLessThanOrEqual(20);
  expect(refused.length).toBeGreaterThanOrEqual(20 - refilled);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expectError(answer, "RATE_LIMITED");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  expect((await upload(aFile())).status).toBe(201);
});
