import { expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql, transaction } from "#db/client.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { byOperator } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withDatabase } from "#testing/database.ts";
import { lockWaiters } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { times, until } from "#testing/until.ts";
import { DELIVERIES, ENDPOINTS, key, payALink, withWebhooks } from "./webhooks.fixture.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { app, aShop, aSubscriber, liveApi } = withWebhooks();

test("an endpoint is created, read, listed, changed, disabled, enabled and deleted, and its secret is shown once", async () => {
  const { api } = await aShop();
  const made = await api.post(ENDPOINTS, { url: "https://shop.example/webhooks" });
  expect(made.status).toBe(201);
  const { secret, ...endpoint } = made.body.data;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(endpoint).toMatchObject({ url: "https://shop.example/webhooks", event_types: ["*"], status: "enabled", failing_since: null });
  const path = `${ENDPOINTS}/${endpoint.id}`;
  expect((await api.get(path)).body.data).toEqual(endpoint);
  expect((await api.get(ENDPOINTS)).body).toEqual({ data: [endpoint], pagination: { next_cursor: null, has_more: false } });
  const changed = await api.patch(path, { url: "https://shop.example/two", event_types: ["card.funded", "card.funded", "vtu.success"] });
  expect(changed.body.data).toEqual({ ...endpoint, url: "https://shop.example/two", event_types: ["card.funded", "vtu.success"] });
  expect((await api.patch(path, { event_types: ["*"] })).body.data.event_types).toEqual(["*"]);
  expect((await api.patch(path, {})).body.data.url).toBe("https://shop.example/two");
  const disabled = await api.patch(path, { status: "disabled" });
  expect(disabled.body.data).toMatchObject({ status: "disabled", disabled_reason: "merchant", disabled_at: expect.any(String) });
  expect((await api.patch(path, { status: "disabled" })).body).toEqual(disabled.body);
  expect((await api.patch(path, { status: "enabled" })).body.data).toMatchObject({
    status: "enabled",
    disabled_reason: null,
    disabled_at: null,
  });
  expect((await api.delete(path)).body).toEqual({ data: { id: endpoint.id, deleted: true } });
  for (const answer of [await api.get(path), await api.patch(path, {}), await api.delete(path), await api.post(`${path}/test`)])
    expectError(answer, "RESOURCE_NOT_FOUND");
  expect((await api.get(ENDPOINTS)).body.data).toEqual([]);
});

test("a test event that is sent while its endpoint is being deleted is either sent or answered as not found", async () => {
  for (let round = 0; round < 3; round++) {
    const { api } = await aShop();
    const path = `${ENDPOINTS}/${(await api.post(ENDPOINTS, { url: "https://shop.example/webhooks" })).body.data.id}`;
    const send = () => api.post(`${path}/test`);
    const [deleted, ...sent] = await Promise.all([api.delete(path), ...times(6, send)]);
    expect(deleted?.status).toBe(200);
    for (const answer of sent) if (answer.status !== 202) expectError(answer, "RESOURCE_NOT_FOUND");
  }
});

test("a test event that waits for the deletion of its endpoint is not sent", async () => {
  const { api, shop } = await aShop();
  const { id } = (await api.post(ENDPOINTS, { url: "https://shop.example/webhooks" })).body.data;
  const waiting = async (count: number) => (await lockWaiters()) >= count;
  const answers = await transaction(async (tx) => {
    await tx.execute(`select from webhook_endpoints where merchant_id = '${shop.merchant.id}' and id = '${id}' for update`);
    return outsideTransaction(async () => {
      const deleted = api.delete(`${ENDPOINTS}/${id}`);
      await until(() => waiting(1));
      const sent = api.post(`${ENDPOINTS}/${id}/test`);
      await until(() => waiting(2));
      return [deleted, sent] as const;
    });
  });
  expect((await answers[0]).status).toBe(200);
  expectError(await answers[1], "RESOURCE_NOT_FOUND");
  expect(await sql()`select from webhook_deliveries where merchant_id = ${shop.merchant.id}`).toEqual([]);
});

test("every change of an endpoint is in the audit once, by its key, also where a request is sent five times at once", async () => {
  const { api, shop } = await aShop();
  const headers = { "Idempotency-Key": "one-endpoint" };
  const url = "https://shop.example/hook?token=hidden";
  await Promise.all(times(5, () => api.post(ENDPOINTS, { url }, { headers })));
  const { id } = (await api.post(ENDPOINTS, { url }, { headers })).body.data;
  await api.patch(`${ENDPOINTS}/${id}`, { event_types: ["vtu.success"] });
  await api.patch(`${ENDPOINTS}/${id}`, {});
  // What changes nothing is not noted.
  for (const same of [{ url }, { event_types: ["vtu.success"] }, { status: "enabled" }, { url, status: "enabled" }])
    expect((await api.patch(`${ENDPOINTS}/${id}`, same)).status).toBe(200);
  await api.post(`${ENDPOINTS}/${id}/roll-secret`, {});
  await api.delete(`${ENDPOINTS}/${id}`);
  const entries = await sql()`
    select action, actor_type, mode, subject, before, after from audit_entries
    where business_id = ${shop.merchant.businessId} and action like 'webhook%' order by seq`;
  expect(entries.map(({ action, mode, subject, before, after }) => [action, mode, subject, before, after])).toEqual([
    ["webhook_endpoint.created", "test", id, null, { event_types: null, status: "enabled" }],
    ["webhook_secret.added", "test", id, null, { secret_id: id, overlap_hours: 0 }],
    ["webhook_endpoint.changed", "test", id, { event_types: null }, { event_types: ["vtu.success"] }],
    ["webhook_secret.added", "test", id, null, { secret_id: expect.stringMatching(/^whs_/), overlap_hours: 24 }],
    ["webhook_endpoint.deleted", "test", id, { event_types: ["vtu.success"], status: "enabled" }, { status: "deleted" }],
  ]);
  expect(new Set(entries.map(({ actor_type }) => actor_type))).toEqual(new Set(["api_key"]));
});

test.each([
  [{}, ["url"]],
  [{ url: 7 }, ["url"]],
  [{ url: "shop.example" }, ["url"]],
  [{ url: "ftp://shop.example" }, ["url"]],
  [{ url: "https://10.0.0.1/" }, ["url"]],
  [{ url: "https://[fd00:ec2::254]/" }, ["url"]],
  [{ url: "https://me:secret@shop.example/" }, ["url"]],
  [{ url: "https://shop.example", event_types: [] }, ["event_types"]],
  [{ url: "https://shop.example", event_types: "checkout.success" }, ["event_types"]],
  [{ url: "https://shop.example", event_types: ["checkout.paid"] }, ["event_types.0"]],
  [{ url: "https://shop.example", secret: "whsec_mine" }, ["secret"]],
])("an endpoint with the body %j is refused, and the error names the field", async (body, params) => {
  const { api } = await aShop();
  const answer = await api.post(ENDPOINTS, body);
  expectError(answer, "VALIDATION_ERROR");
  expect(answer.body.error.errors.map(({ param }: { param: string }) => param)).toEqual(params);
});

test("live mode accepts only https on port 443 of the public internet, even where the setting allows loopback", async () => {
  const { shop } = await aShop();
  const live = await liveApi(shop);
  for (const url of [
    "http://shop.example/",
    "http://localhost:4000/",
    "https://localhost/",
    "https://127.0.0.1/",
    "https://shop.example:8443/",
  ])
    expectError(await live.post(ENDPOINTS, { url }), "VALIDATION_ERROR");
  expect((await live.post(ENDPOINTS, { url: "https://shop.example/" })).status).toBe(201);
});

test("a merchant has at most twenty endpoints, also when it asks for more at once, and lists each of them once", async () => {
  const { api } = await aShop();
  const answers = await Promise.all(times(25, (i) => api.post(ENDPOINTS, { url: `https://shop.example/${i}` })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, "VALIDATION_ERROR");
  const [page, rest] = [await api.get(`${ENDPOINTS}?limit=15`), await api.get(`${ENDPOINTS}?limit=15`)];
  const next = await api.get(`${ENDPOINTS}?limit=15&cursor=${page.body.pagination.next_cursor}`);
  expect(new Set([...rest.body.data, ...next.body.data].map(({ id }: { id: string }) => id)).size).toBe(20);
  expectError(await api.get(`${DELIVERIES}?cursor=${page.body.pagination.next_cursor}`), "VALIDATION_ERROR");
});

test("five requests at once with one Idempotency-Key make one endpoint, and a replay shows no secret", async () => {
  const { api } = await aShop();
  const create = () => api.post(ENDPOINTS, { url: "https://shop.example/" }, key("one"));
  const answers = await Promise.all(times(5, create));
  // A request that comes after the first has ended gets a replay, which is a 201 without the secret.
  const first = answers.find(({ status, body }) => status === 201 && body.data.secret);
  for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
  const { secret, ...endpoint } = first?.body.data ?? {};
  const replay = await create();
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  expect(replay.body.data).toEqual(endpoint);
  expect(secret).toMatch(/^whsec_/);
  expect((await api.get(ENDPOINTS)).body.data).toHaveLength(1);
  expectError(await api.post(ENDPOINTS, { url: "https://shop.example/other" }, key("one")), "IDEMPOTENCY_KEY_REUSED");
});

test("a replay finishes a request that died before its answer, and returns the secret", async () => {
  const { api, shop } = await aShop();
  const { body } = await api.post(ENDPOINTS, { url: "https://shop.example/" }, key("k"));
  const die = () => sql()`
    update idempotency_keys set state = 'running', status = null, locked_until = now() - interval '1 second' where merchant_id = ${shop.merchant.id}`;
  await die();
  const again = await api.post(ENDPOINTS, { url: "https://shop.example/" }, key("k"));
  expect(again.body.data.secret).toBe(body.data.secret);
  const roll = () => api.post(`${ENDPOINTS}/${body.data.id}/roll-secret`, undefined, key("r"));
  const rolled = await roll();
  await die();
  expect((await roll()).body.data.secret).toBe(rolled.body.data.secret);
  expect((await roll()).body.data.secret).toBeUndefined();
  expect(await sql()`select 1 from webhook_secrets where endpoint_id = ${body.data.id}`).toHaveLength(2);
});

test("a roll adds a secret and keeps the older ones for the overlap, at most five live ones in all", async () => {
  const { api, endpoint } = await aSubscriber();
  const roll = (body?: unknown) => api.post(`${ENDPOINTS}/${endpoint.id}/roll-secret`, body);
  const secrets = [endpoint.secret];
  for (let i = 0; i < 4; i++) secrets.push((await roll({ overlap_hours: 1 })).body.data.secret);
  expect(new Set(secrets).size).toBe(5);
  // A sixth secret would end one whose overlap of an hour is not over.
  expectError(await roll({ overlap_hours: 1 }), "VALIDATION_ERROR");
  expect(await sql()`select 1 from webhook_secrets where endpoint_id = ${endpoint.id}`).toHaveLength(5);
  await roll({ overlap_hours: 0 });
  expect(await sql()`select 1 from webhook_secrets where endpoint_id = ${endpoint.id}`).toHaveLength(1);
  for (const overlap_hours of [-1, 169, "1"]) expectError(await roll({ overlap_hours }), "VALIDATION_ERROR");
});

test("a resend returns how many events were sent and how many are left, a replay returns the same, and members can count first", async () => {
  const { api, shop, endpoint } = await aSubscriber();
  const { id } = endpoint;
  await api.patch(`${ENDPOINTS}/${id}`, { status: "disabled" });
  for (let i = 0; i < 2; i += 1) await payALink(api);
  await api.patch(`${ENDPOINTS}/${id}`, { status: "enabled" });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const developer = pageClient(app, await aMember(shop.merchant.businessId, "developer"), shop.merchant.id);
  const missed = async () => (await developer("GET", `/api/dashboard/webhook-endpoints/${id}/missed?since=${since}`)).body.data;
  expect(await missed()).toEqual({ endpoint_id: id, missed: 2, missed_is_exact: true });
  const send = () => api.post(`${ENDPOINTS}/${id}/resend`, { since }, { headers: { "Idempotency-Key": "missed" } });
  const [sent, again] = [await send(), await send()];
  expect(sent.body.data).toMatchObject({ endpoint_id: id, sent: 2, last_sequence: 2, left: 0, left_is_exact: true });
  expect(again.body.data).toMatchObject({ endpoint_id: id, sent: 2, last_sequence: 2, left: 0, left_is_exact: true });
  expect(await missed()).toEqual({ endpoint_id: id, missed: 0, missed_is_exact: true });
  const behind = await api.post(`${ENDPOINTS}/${id}/resend`, { since, after: 2 });
  expect(behind.body.data).toMatchObject({ sent: 0, last_sequence: 2, left: 0, left_is_exact: true });
  for (const after of [-1, 1.5, "2"]) expectError(await api.post(`${ENDPOINTS}/${id}/resend`, { since, after }), "VALIDATION_ERROR");
  const viewer = pageClient(app, await aMember(shop.merchant.businessId, "viewer"), shop.merchant.id);
  expectError(await viewer("GET", `/api/dashboard/webhook-endpoints/${id}/missed?since=${since}`), "PERMISSION_DENIED");
});

test("an address is stored as it will be called", async () => {
  const { api } = await aShop();
  const { body } = await api.post(ENDPOINTS, { url: " HTTPS://Shop.Example:443/a b " });
  expect(body.data.url).toBe("https://shop.example/a%20b");
  for (const url of ["https://shop.example/a\tb", "https://shop.example/\n", "https://evil.example\\@shop.example/"]) {
    const refused = await api.post(ENDPOINTS, { url });
    expectError(refused, "VALIDATION_ERROR");
    expect([url, refused.body.error.param]).toEqual([url, "url"]);
  }
});

test("endpoints and deliveries of another merchant or of the other mode are not found", async () => {
  const { shop, api, endpoint } = await aSubscriber();
  await payALink(api);
  const [delivery] = (await api.get(DELIVERIES)).body.data;
  for (const stranger of [(await aShop()).api, await liveApi(shop)]) {
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const answers = [
      await stranger.get(path),
      await stranger.patch(path, { status: "disabled" }),
      await stranger.delete(path),
      await stranger.post(`${path}/roll-secret`),
      await stranger.post(`${path}/test`),
      await stranger.post(`${path}/resend`, { since: new Date().toISOString() }),
      await stranger.get(`${DELIVERIES}/${delivery.id}`),
      await stranger.post(`${DELIVERIES}/${delivery.id}/resend`),
    ];
    for (const answer of answers) expectError(answer, "RESOURCE_NOT_FOUND");
    expect((await stranger.get(ENDPOINTS)).body.data).toEqual([]);
    expect((await stranger.get(DELIVERIES)).body.data).toEqual([]);
    expect((await stranger.get("/api/v1/alerts")).body.data).toEqual([]);
  }
  expect((await api.get(`${ENDPOINTS}/${endpoint.id}`)).body.data.status).toBe("enabled");
});

test("a key that may only read cannot write, and a key that may only write cannot read", async () => {
  const { shop } = await aShop();
  const reader = await createApiKey(byOperator(shop.ctx), { name: "r", permissions: ["webhooks:read"] });
  expect((await apiClient(app, reader).get(ENDPOINTS)).status).toBe(200);
  expectError(await apiClient(app, reader).post(ENDPOINTS, { url: "https://shop.example" }), "PERMISSION_DENIED");
  const writer = await createApiKey(byOperator(shop.ctx), { name: "w", permissions: ["webhooks:write"] });
  expectError(await apiClient(app, writer).get(DELIVERIES), "PERMISSION_DENIED");
});

test("an impossible id is not found and an impossible filter is refused, and neither causes a 5xx", async () => {
  const { api } = await aShop();
  for (const id of ["%00", "a%00b", "x".repeat(200), "%F0%9F%98%80", "..%2F.."]) {
    expectError(await api.get(`${ENDPOINTS}/${id}`), "RESOURCE_NOT_FOUND");
    expectError(await api.get(`${DELIVERIES}/${id}`), "RESOURCE_NOT_FOUND");
    expectError(await api.post(`${DELIVERIES}/${id}/resend`), "RESOURCE_NOT_FOUND");
  }
  for (const filter of ["%00", "a b", "x".repeat(200)])
    expectError(await api.get(`${DELIVERIES}?endpoint_id=${filter}`), "VALIDATION_ERROR");
});

test("no webhook secret is in the log", async () => {
  const { endpoint } = await aSubscriber();
  expect(await app.wholeLog()).toContain(ENDPOINTS);
  expect(app.log()).not.toContain(endpoint.secret.slice(6));
});
