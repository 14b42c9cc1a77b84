import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { createApiKey } from "#services/merchants/index.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { Dispatcher } from "#services/webhooks/index.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { withReceivers } from "#testing/receiver.ts";
import { times, until } from "#testing/until.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const app = withApp();
const aReceiver = withReceivers();

const ENDPOINTS = "/api/v1/webhook-endpoints";
const DELIVERIES = "/api/v1/webhook-deliveries";
const key = (value: string) => ({ headers: { "Idempotency-Key": value } });

let dispatcher: Dispatcher;
beforeAll(() => {
  dispatcher = new Dispatcher();
  dispatcher.start();
});
afterAll(() => dispatcher.stop());

async function aShop() {
  const shop = await aMerchant();
  return { shop, api: apiClient(app, shop.key) };
}

async function aSubscriber() {
  const [{ shop, api }, receiver] = [await aShop(), await aReceiver()];
  const { body } = await api.post(ENDPOINTS, { url: `${receiver.url}/hook` });
  return { shop, api, receiver, endpoint: body.data };
}

/** Live keys of the same business. */
async function liveApi(shop: TestMerchant) {
  const keys = await createApiKey(shop.liveCtx, { name: "live" });
  return apiClient(app, keys);
}

async function payALink(api: ReturnType<typeof apiClient>) {
  const { body } = await api.post("/api/v1/checkout/create", { amount: 5_000 });
  await api.post(`/api/v1/test/checkout/${body.reference}/transfer`);
  return body.reference;
}

describe("the life of an endpoint", () => {
  test("created, read, listed, changed, disabled, enabled and deleted; the secret is shown once", async () => {
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
  ])("%j is refused, naming the field", async (body, params) => {
    const { api } = await aShop();
    const answer = await api.post(ENDPOINTS, body);
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.errors.map(({ param }: { param: string }) => param)).toEqual(params);
  });

  test("live mode takes https on port 443 of the public internet alone, even where the setting allows loopback", async () => {
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

  test("a merchant has at most twenty, also when it asks for them all at once", async () => {
    const { api } = await aShop();
    const answers = await Promise.all(times(25, (i) => api.post(ENDPOINTS, { url: `https://shop.example/${i}` })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, "VALIDATION_ERROR");
    const [page, rest] = [await api.get(`${ENDPOINTS}?limit=15`), await api.get(`${ENDPOINTS}?limit=15`)];
    const next = await api.get(`${ENDPOINTS}?limit=15&cursor=${page.body.pagination.next_cursor}`);
    expect(new Set([...rest.body.data, ...next.body.data].map(({ id }: { id: string }) => id)).size).toBe(20);
    expectError(await api.get(`${DELIVERIES}?cursor=${page.body.pagination.next_cursor}`), "VALIDATION_ERROR");
  });

  test("the same key five times at once makes one endpoint, and a replay shows no secret", async () => {
    const { api } = await aShop();
    const create = () => api.post(ENDPOINTS, { url: "https://shop.example/" }, key("one"));
    const answers = await Promise.all(times(5, create));
    // One that comes after the first has ended is answered with a replay: 201 too, without the secret.
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

  test("what a dead request began is finished by its replay, with the secret that nobody has seen", async () => {
    const { api, shop } = await aShop();
    const { body } = await api.post(ENDPOINTS, { url: "https://shop.example/" }, key("k"));
    const die = () => sql()`
      update idempotency_keys set state = 'running', status = null, locked_until = now() where merchant_id = ${shop.merchant.id}`;
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

  test("rolling gives a new secret, takes hours of overlap, and keeps no more than fit a header", async () => {
    const { api, endpoint } = await aSubscriber();
    const roll = (body?: unknown) => api.post(`${ENDPOINTS}/${endpoint.id}/roll-secret`, body);
    const secrets = [endpoint.secret];
    for (let i = 0; i < 4; i++) secrets.push((await roll({ overlap_hours: 1 })).body.data.secret);
    expect(new Set(secrets).size).toBe(5);
    // A sixth would end one that was promised an hour.
    expectError(await roll({ overlap_hours: 1 }), "VALIDATION_ERROR");
    expect(await sql()`select 1 from webhook_secrets where endpoint_id = ${endpoint.id}`).toHaveLength(5);
    await roll({ overlap_hours: 0 });
    expect(await sql()`select 1 from webhook_secrets where endpoint_id = ${endpoint.id}`).toHaveLength(1);
    for (const overlap_hours of [-1, 169, "1"]) expectError(await roll({ overlap_hours }), "VALIDATION_ERROR");
  });
});

describe("another's", () => {
  test("endpoints and deliveries are not found, nor those of the other mode", async () => {
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

  test("key without the permission may not", async () => {
    const { shop } = await aShop();
    const reader = await createApiKey(shop.ctx, { name: "r", permissions: ["webhooks:read"] });
    expect((await apiClient(app, reader).get(ENDPOINTS)).status).toBe(200);
    expectError(await apiClient(app, reader).post(ENDPOINTS, { url: "https://shop.example" }), "PERMISSION_DENIED");
    const writer = await createApiKey(shop.ctx, { name: "w", permissions: ["webhooks:write"] });
    expectError(await apiClient(app, writer).get(DELIVERIES), "PERMISSION_DENIED");
  });
});

describe("deliveries", () => {
  test("a paid link reaches the merchant's server at once, without a sweep, verified, and is read with its attempt", async () => {
    const { api, receiver, endpoint } = await aSubscriber();
    const reference = await payALink(api);
    // Nobody sweeps in this file: what comes is brought by the wake-up, whenever it comes.
    await until(async () => receiver.received.length === 1);
    const [one] = receiver.received;
    const content = new Webhook(endpoint.secret).verify(one?.body ?? "", one?.headers as Record<string, string>) as { data: unknown };
    const status = await api.get(`/api/v1/checkout/status?reference=${reference}`);
    const { success: _success, ...link } = status.body;
    expect(content).toMatchObject({ type: "checkout.success", sequence: 1, data: { ...link } });
    const delivery = await until(async () => {
      const [row] = (await api.get(`${DELIVERIES}?status=delivered`)).body.data;
      return row;
    });
    expect(delivery).toMatchObject({
      endpoint_id: endpoint.id,
      event_type: "checkout.success",
      sequence: 1,
      attempt_count: 1,
      last_response_status: 200,
    });
    const { data } = (await api.get(`${DELIVERIES}/${delivery.id}`)).body;
    expect(data).toMatchObject({ ...delivery, request_body: one?.body });
    expect(data.attempts).toMatchObject([{ number: 1, url: endpoint.url, response_status: 200, response_body: "", error: null }]);
    expect(data.attempts[0].request_headers["webhook-signature"]).toBe(one?.headers["webhook-signature"]);
  });

  test("are filtered by endpoint and status, and page without missing any", async () => {
    const { shop, api, receiver, endpoint } = await aSubscriber();
    const picky = (await api.post(ENDPOINTS, { url: receiver.url, event_types: ["vtu.failed"] })).body.data;
    await Promise.all(times(5, () => payALink(api)));
    await until(async () => (await api.get(`${DELIVERIES}?status=delivered`)).body.data.length === 5);
    expect((await api.get(`${DELIVERIES}?endpoint_id=${picky.id}`)).body.data).toEqual([]);
    expect((await api.get(`${DELIVERIES}?endpoint_id=${endpoint.id}`)).body.data).toHaveLength(5);
    expect((await api.get(`${DELIVERIES}?status=failed`)).body.data).toEqual([]);
    expectError(await api.get(`${DELIVERIES}?status=lost`), "VALIDATION_ERROR");
    const seen: number[] = [];
    let cursor = "";
    do {
      const { body } = await api.get(`${DELIVERIES}?limit=2${cursor}`);
      seen.push(...body.data.map(({ sequence }: { sequence: number }) => sequence));
      cursor = body.pagination.next_cursor ? `&cursor=${body.pagination.next_cursor}` : "";
    } while (cursor);
    expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5]);
    expect(shop.merchant.mode).toBe("test");
  });

  test("one is sent again, five times at once too, with the same id", async () => {
    const { api, receiver } = await aSubscriber();
    await payALink(api);
    const delivery = await until(async () => (await api.get(`${DELIVERIES}?status=delivered`)).body.data[0]);
    const again = await api.post(`${DELIVERIES}/${delivery.id}/resend`, undefined, key("again"));
    expect(again.status).toBe(202);
    expect(again.body.data).toMatchObject({ id: delivery.id, status: "pending", delivered_at: null });
    await until(async () => receiver.received.length === 2);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect((await api.post(`${DELIVERIES}/${delivery.id}/resend`, undefined, key("again"))).status).toBe(202);
    await until(async () => (await api.get(`${DELIVERIES}/${delivery.id}`)).body.data.status === "delivered");
    expect(receiver.received).toHaveLength(2);
    await Promise.all(times(5, () => api.post(`${DELIVERIES}/${delivery.id}/resend`)));
    await until(async () => (await api.get(`${DELIVERIES}/${delivery.id}`)).body.data.status === "delivered");
    // What is asked for while it waits is one sending; what is asked for while it is under way is another.
    const { attempt_count } = (await api.get(`${DELIVERIES}/${delivery.id}`)).body.data;
    expect(attempt_count).toBe(receiver.received.length);
    expect(receiver.received.length).toBeGreaterThanOrEqual(3);
    expect(receiver.received.length).toBeLessThanOrEqual(7);
  });

  test("those that failed since a time are sent again together", async () => {
    const { api, receiver, endpoint } = await aSubscriber();
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const since = new Date(Date.now() - 1_000).toISOString();
    await api.patch(path, { status: "disabled" });
    await Promise.all(times(3, () => payALink(api)));
    expectError(await api.post(`${path}/resend`, { since }), "VALIDATION_ERROR");
    await api.patch(path, { status: "enabled" });
    const answer = await api.post(`${path}/resend`, { since }, key("since"));
    expect(answer.status).toBe(202);
    expect(answer.body.data.endpoint_id).toBe(endpoint.id);
    await until(async () => receiver.received.length === 3);
    expect((await api.post(`${path}/resend`, { since }, key("since"))).status).toBe(202);
    const unusable = ["yesterday", "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "9999-12-31T23:59:59-23:00"].map((text) => ({
      since: text,
    }));
    for (const bad of [{}, ...unusable]) expectError(await api.post(`${path}/resend`, bad), "VALIDATION_ERROR");
  });

  test("a test event comes at once", async () => {
    const { api, receiver, endpoint } = await aSubscriber();
    const { status, body } = await api.post(`${ENDPOINTS}/${endpoint.id}/test`);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ event_type: "webhook.test", sequence: 0, status: "pending" });
    await until(async () => receiver.received.length === 1);
    await until(async () => (await api.get(`${DELIVERIES}/${body.data.id}`)).body.data.status === "delivered");
    expect((await api.get("/api/v1/events")).body.data).toEqual([]);
  });

  test("a merchant is told that an endpoint was disabled", async () => {
    const { api, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 410 }));
    await payALink(api);
    const alert = await until(async () => (await api.get("/api/v1/alerts")).body.data[0]);
    expect(alert).toMatchObject({ type: "webhook_endpoint.disabled", resource_id: endpoint.id });
    expect((await api.get(`${ENDPOINTS}/${endpoint.id}`)).body.data).toMatchObject({ status: "disabled", disabled_reason: "gone" });
  });
});

test("ids and filters that cannot be are not found, or refused, and never a failure of ours", async () => {
  const { api } = await aShop();
  for (const id of ["%00", "a%00b", "x".repeat(200), "%F0%9F%98%80", "..%2F.."]) {
    expectError(await api.get(`${ENDPOINTS}/${id}`), "RESOURCE_NOT_FOUND");
    expectError(await api.get(`${DELIVERIES}/${id}`), "RESOURCE_NOT_FOUND");
    expectError(await api.post(`${DELIVERIES}/${id}/resend`), "RESOURCE_NOT_FOUND");
  }
  for (const filter of ["%00", "a b", "x".repeat(200)])
    expectError(await api.get(`${DELIVERIES}?endpoint_id=${filter}`), "VALIDATION_ERROR");
});

test("an endpoint that asks for time shows it, and is called again when it is enabled", async () => {
  const { api, receiver, endpoint } = await aSubscriber();
  const path = `${ENDPOINTS}/${endpoint.id}`;
  receiver.behave(() => ({ status: 503, headers: { "Retry-After": "3600" } }));
  await payALink(api);
  const pausedUntil = await until(async () => (await api.get(path)).body.data.paused_until);
  expect(Date.parse(pausedUntil) - Date.now()).toBeLessThanOrEqual(60_000);
  expect(Date.parse(pausedUntil) - Date.now()).toBeGreaterThan(50_000);
  expect((await api.get(`${DELIVERIES}?status=pending`)).body.data[0]).toMatchObject({
    last_response_status: 503,
    last_error: "It answered 503.",
  });
  receiver.behave(() => ({ status: 200 }));
  expect((await api.patch(path, { status: "enabled" })).body.data).toMatchObject({ paused_until: null, failing_since: null });
  await payALink(api);
  await until(async () => receiver.received.length === 2);
});

test("what waits for a retry is sent at once when everything since a time is asked for", async () => {
  const { api, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  await payALink(api);
  // The failed attempt is stored before the endpoint is called failing, and the endpoint's pause in the same statement. A request before
  // that would wake nobody, and nobody sweeps here.
  await until(async () => (await api.get(`${ENDPOINTS}/${endpoint.id}`)).body.data.failing_since);
  receiver.behave(() => ({ status: 200 }));
  await api.post(`${ENDPOINTS}/${endpoint.id}/resend`, { since: new Date(Date.now() - 60_000).toISOString() });
  await until(async () => (await api.get(`${DELIVERIES}?status=delivered`)).body.data.length === 1);
});

test("the feed is read from a sequence, and from nothing else", async () => {
  const { api } = await aShop();
  for (const after of ["", "x", "-1", "1.5", "1e3", "99999999999999999"])
    expectError(await api.get(`/api/v1/events?after=${after}`), "VALIDATION_ERROR");
  expect((await api.get("/api/v1/events?after=0")).status).toBe(200);
});

test("an address is kept as it will be called", async () => {
  const { api } = await aShop();
  const { body } = await api.post(ENDPOINTS, { url: " HTTPS://Shop.Example:443/a b\tc\n" });
  expect(body.data.url).toBe("https://shop.example/a%20bc");
});

test("no secret is in the log", async () => {
  const { endpoint } = await aSubscriber();
  await until(async () => app.log().includes(ENDPOINTS));
  expect(app.log()).not.toContain(endpoint.secret.slice(6));
});
