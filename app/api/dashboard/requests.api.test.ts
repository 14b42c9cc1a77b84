import { beforeAll, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { aMember, asMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { getRequest, groupFailures, presentRequest } from "#services/requests/index.ts";
import { type ApiAnswer, apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let developer: TestMember;
beforeAll(async () => {
  shop = await aMerchant();
  developer = await aMember(shop.merchant.businessId, "developer");
});

const page = (member = developer, merchantId = shop.merchant.id) => pageClient(app, member, merchantId);
const idOf = ({ headers }: ApiAnswer) => headers.get("request-id") ?? "";
/** Reads a request by its id. Requests are logged after they are answered. */
const readBy = async (member: TestMember, id: string) => presentRequest(await getRequest(asMember(shop.ctx, member), id));
const isLogged = async (id: string) => (await sql()`select 1 from request_log where id = ${id}`).length > 0;
async function read(id: string) {
  await until(() => isLogged(id));
  return readBy(developer, id);
}

test("a failed request is found by its request id, with its reason and the names of its fields", async () => {
  const failed = await apiClient(app, shop.key).post("/api/v1/checkout/create?trace=7", {
    amount: 1,
    customer_email: "ngozi@example.com",
    note: "hello",
  });
  expectError(failed, "VALIDATION_ERROR");
  expect(await read(failed.body.error.request_id)).toEqual({
    ...{ id: idOf(failed), caller: "key", key_id: shop.key.id, user_id: null },
    ...{ endpoint: "createPaymentLink", method: "POST", path: "/api/v1/checkout/create", status: 422, error_code: "VALIDATION_ERROR" },
    ...{ duration_ms: expect.any(Number), client_address: expect.any(String), created_at: expect.stringMatching(/Z$/) },
    ...{ query_fields: ["trace"], body_fields: ["amount", "customer_email", "note"], problems: failed.body.error.errors },
  });
  const listed = await page()("GET", "/api/dashboard/requests?error_code=VALIDATION_ERROR");
  expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(idOf(failed));
  const { groups } = await groupFailures(shop.ctx);
  expect(groups[0]).toMatchObject({ errorCode: "VALIDATION_ERROR", endpoint: "createPaymentLink", lastRequestId: idOf(failed) });
});

test("no value, body or header of a request is kept, also where a value is sent in the place of a name", async () => {
  const canaries = ["4242424242424242", "Canary", "canary-value", "08031230000", "canary@example.com", "sk_test_CanaryCanary", "0123 4567"];
  const body = Object.fromEntries(canaries.map((canary, i) => [canary, canaries[(i + 1) % canaries.length]]));
  const query = new URLSearchParams(canaries.map((canary) => [canary, canary])).toString();
  const client = apiClient(app, shop.key);
  const owner = await aMember(shop.merchant.businessId, "owner");
  const sent = [
    await client.post(`/api/v1/checkout/create?${query}`, { ...body, amount: "canary-value", metadata: body }),
    await client.post("/api/v1/vtu/airtime", { network: "mtn", phone: "08031230000", amount: 200, metadata: { Canary: "canary-value" } }),
    await client.post("/api/v1/vtu/airtime", { network: "mtn", phone: "08031230000", amount: 200 }),
    await client.post("/api/v1/webhook-endpoints", { url: "https://canary-value:Canary@shop.example" }),
    await client.post("/api/v1/checkout/create", undefined, {
      raw: '{"Canary": canary-value}',
      headers: { "Idempotency-Key": "canary-value", "X-Other": "Canary" },
    }),
    await page()("POST", "/api/dashboard/api-keys", {
      body: { name: "Canary", permissions: ["canary-value"], allowed_ips: ["canary-value"] },
    }),
    await page()("POST", "/api/dashboard/api-keys", {
      body: { name: "canary-value", permissions: ["wallet:read"], allowed_ips: ["canary-value"] },
    }),
    await page(owner)("POST", "/api/dashboard/embed-origins", {
      body: { origins: ["https://canary-value:Canary@shop.example"], from: [] },
    }),
  ];
  const [bad, gone] = ["VALIDATION_ERROR", "PRODUCT_UNAVAILABLE"];
  expect(sent.map((answer) => answer.body.error?.code)).toEqual([bad, gone, gone, bad, "MALFORMED_JSON", bad, bad, bad]);
  for (const answer of sent) await read(idOf(answer));
  const stored = JSON.stringify(await sql()`select * from request_log where merchant_id = ${shop.merchant.id}`);
  for (const canary of canaries) expect(stored).not.toContain(canary);
  expect(stored).toContain('"metadata"');
});

test("a page's own polls leave no row, and a failed request of a member differs from one of a key", async () => {
  const polled = await page()("GET", "/api/dashboard/requests");
  const refused = await page()("GET", "/api/dashboard/requests?limit=0");
  expectError(refused, "VALIDATION_ERROR");
  expect(await read(idOf(refused))).toMatchObject({ caller: "member", user_id: developer.userId, key_id: null, query_fields: ["limit"] });
  expect(await isLogged(idOf(polled))).toBe(false);
});

test("a developer reads the addresses of requests by keys and of their own requests, and owners and admins read all", async () => {
  const [owner, admin] = [await aMember(shop.merchant.businessId, "owner"), await aMember(shop.merchant.businessId, "admin")];
  const sent = [
    await page(owner)("GET", "/api/v1/wallet"),
    await page()("GET", "/api/v1/wallet"),
    await apiClient(app, shop.key).get("/api/v1/wallet"),
  ];
  for (const answer of sent) await read(idOf(answer));
  const listedTo = async (member: TestMember) => (await page(member)("GET", "/api/dashboard/requests?limit=100")).body.data;
  for (const [member, places] of [
    [developer, [1, 2]],
    [admin, [0, 1, 2]],
    [owner, [0, 1, 2]],
  ] as const) {
    const listed: { id: string }[] = await listedTo(member);
    for (const [place, id] of sent.map(idOf).entries()) {
      const address = places.some((seen) => seen === place) ? expect.any(String) : null;
      expect(listed.find((request) => request.id === id)).toMatchObject({ client_address: address });
      expect(await readBy(member, id)).toMatchObject({ client_address: address });
    }
  }
});

test("the other mode, another business and a role without the permission see nothing of it", async () => {
  const known = await apiClient(app, shop.key).get("/api/v1/wallet");
  await read(idOf(known));
  const path = "/api/dashboard/requests?limit=100";
  expect((await page(developer)("GET", path)).body.data.map(({ id }: { id: string }) => id)).toContain(idOf(known));
  const seen = [await page(developer, shop.liveMerchantId)("GET", path)];
  const other = await aMerchant();
  const stranger = await aMember(other.merchant.businessId, "owner");
  seen.push(await page(stranger, other.merchant.id)("GET", path));
  for (const { status, body } of seen) expect([status, JSON.stringify(body).includes(idOf(known))]).toEqual([200, false]);
  for (const role of ["support", "viewer"] as const) {
    const member = await aMember(shop.merchant.businessId, role);
    expectError(await page(member)("GET", path), "PERMISSION_DENIED");
  }
});
