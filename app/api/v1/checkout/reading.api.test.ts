import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { keyedHash } from "#lib/secrets.ts";
import { switchArea } from "#services/merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import type { Api } from "../api.fixture.ts";
import { CREATE, create, expiryOf, statusOf, transferTo } from "./checkout-api.fixture.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let api: Api;
beforeAll(async () => {
  shop = await aMerchant();
  api = apiClient(app, shop.key);
});

test("a link of another merchant is not found, in the same words as a link that does not exist", async () => {
  const { reference } = await create(api);
  const other = apiClient(app, (await aMerchant()).key);
  const foreign = await other.get(statusOf(reference));
  const unknown = await other.get(statusOf("0".repeat(26)));
  expectError(foreign, "RESOURCE_NOT_FOUND");
  expect({ ...foreign.body.error, request_id: "" }).toEqual({ ...unknown.body.error, request_id: "" });
  expectError(await api.get(statusOf("%00")), "VALIDATION_ERROR");
  expectError(await api.get("/api/v1/checkout/status"), "VALIDATION_ERROR");
});

describe("the list of links", () => {
  test("the list filtered by expired includes an overdue link that no sweep has expired yet", async () => {
    const { reference } = await create(api);
    await sql()`update payment_links set created_at = now() - interval '40 min', expires_at = now() - interval '10 min' where reference = ${reference}`;
    const { body } = await api.get("/api/v1/checkout?status=expired");
    expect(body.data.map((link: { reference: string }) => link.reference)).toContain(reference);
  });

  test("pages through all of them, newest first, without a gap or a repetition while new ones are added", async () => {
    const lister = await aMerchant();
    const own = apiClient(app, lister.key);
    const made: string[] = [];
    for (let i = 0; i < 25; i++) made.push((await own.post(CREATE, { amount: 100 + i })).body.reference);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await own.get(`/api/v1/checkout?limit=7${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...body.data.map((link: { reference: string }) => link.reference));
      cursor = body.pagination.next_cursor;
      expect(body.pagination.has_more).toBe(cursor !== null);
      await own.post(CREATE, { amount: 999 });
    } while (cursor);
    expect(seen).toEqual([...made].reverse());
  });

  test("filters by time, and refuses broken and foreign cursors, limits and filters", async () => {
    const lister = await aMerchant();
    const own = apiClient(app, lister.key);
    for (let i = 0; i < 3; i++) await own.post(CREATE, { amount: 100 });
    const { body } = await own.get("/api/v1/checkout?limit=1");
    const created = body.data[0].created_at;
    expect((await own.get(`/api/v1/checkout?created_after=${created}`)).body.data).toHaveLength(1);
    expect((await own.get(`/api/v1/checkout?created_before=${created}`)).body.data).toHaveLength(2);
    expectError(await api.get(`/api/v1/checkout?cursor=${body.pagination.next_cursor}`), "VALIDATION_ERROR");
    for (const query of [
      "cursor=broken",
      "limit=0",
      "limit=101",
      "limit=x",
      "status=paid",
      "created_after=yesterday",
      "created_after=0000-01-01T00:00:00Z",
      "created_before=9999-12-31T23:59:59-23:59",
    ]) {
      expectError(await own.get(`/api/v1/checkout?${query}`), "VALIDATION_ERROR");
    }
    expect((await own.get("/api/v1/checkout?whatever=1")).status).toBe(200);
  });
});

test("an area that is not enabled answers SERVICE_NOT_ENABLED on each of its endpoints, whatever the body", async () => {
  const own = await aMerchant();
  const client = apiClient(app, own.key);
  await switchArea(anOperator, own.merchant.id, "checkout", false);
  for (const path of [CREATE, transferTo("x"), expiryOf("x")])
    expectError(await client.call("POST", path, { raw: "{" }), "SERVICE_NOT_ENABLED");
  for (const path of ["/api/v1/checkout", "/api/v1/checkout/status", "/api/v1/checkout/timeline"])
    expectError(await client.get(path), "SERVICE_NOT_ENABLED");
  expect((await client.get("/api/v1/wallet")).status).toBe(200);
});

test("a secret key is not in the log, the request log or the table of keys, and its hash is in neither log", async () => {
  await api.post(CREATE, { amount: 1, description: "x" });
  await until(async () => (await sql()`select 1 from request_log where merchant_id = ${shop.merchant.id}`).length > 0);
  const rows = JSON.stringify(await sql()`select * from request_log`);
  for (const text of [await app.wholeLog(), rows]) {
    expect(text).not.toContain(shop.key.secretKey);
    expect(text).not.toContain(keyedHash("api-key-hash", shop.key.secretKey));
  }
  const keys = JSON.stringify(await sql()`select * from api_keys`);
  expect(keys).not.toContain(shop.key.secretKey);
});
