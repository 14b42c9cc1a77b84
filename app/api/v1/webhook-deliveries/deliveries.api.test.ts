import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { expectError } from "#testing/api.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { DELIVERIES, ENDPOINTS, key, payALink, withWebhooks } from "../webhook-endpoints/webhooks.fixture.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { aShop, aSubscriber } = withWebhooks();

test("a paid link reaches the merchant's server without a sweep and verifies, and its delivery shows the attempt", async () => {
  const { api, receiver, endpoint } = await aSubscriber();
  const reference = await payALink(api);
  // No sweep runs in this file, so the wake-up has brought this delivery.
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

test("deliveries are filtered by endpoint and status, and their pages miss none", async () => {
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

test("a delivery is sent again on request, also on five requests at once, with the same id", async () => {
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
  // Requests while the delivery waits cause one attempt together. A request during an attempt causes another attempt.
  const { attempt_count } = (await api.get(`${DELIVERIES}/${delivery.id}`)).body.data;
  expect(attempt_count).toBe(receiver.received.length);
  expect(receiver.received.length).toBeGreaterThanOrEqual(3);
  expect(receiver.received.length).toBeLessThanOrEqual(7);
});

test("one request sends all events again that an endpoint missed since a time", async () => {
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

test("a test event arrives without a sweep and is not in the feed", async () => {
  const { api, receiver, endpoint } = await aSubscriber();
  const { status, body } = await api.post(`${ENDPOINTS}/${endpoint.id}/test`);
  expect(status).toBe(202);
  expect(body.data).toMatchObject({ event_type: "webhook.test", sequence: 0, status: "pending" });
  await until(async () => receiver.received.length === 1);
  await until(async () => (await api.get(`${DELIVERIES}/${body.data.id}`)).body.data.status === "delivered");
  expect((await api.get("/api/v1/events")).body.data).toEqual([]);
});

test("a merchant gets an alert when its endpoint is disabled", async () => {
  const { api, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 410 }));
  await payALink(api);
  const alert = await until(async () => (await api.get("/api/v1/alerts")).body.data[0]);
  expect(alert).toMatchObject({ type: "webhook_endpoint.disabled", resource_id: endpoint.id });
  expect((await api.get(`${ENDPOINTS}/${endpoint.id}`)).body.data).toMatchObject({ status: "disabled", disabled_reason: "gone" });
});

test("an endpoint that asks for time shows until when it is paused, and is called again when it is enabled", async () => {
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

test("a resend request since a time sends a pending retry at once", async () => {
  const { api, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  await payALink(api);
  // The failed attempt is stored first. A second statement marks the endpoint as failing and pauses it. A request before that statement
  // would be undone by the pause, and no sweep runs in this file to send the delivery later.
  await until(async () => (await api.get(`${ENDPOINTS}/${endpoint.id}`)).body.data.failing_since);
  receiver.behave(() => ({ status: 200 }));
  await api.post(`${ENDPOINTS}/${endpoint.id}/resend`, { since: new Date(Date.now() - 60_000).toISOString() });
  await until(async () => (await api.get(`${DELIVERIES}?status=delivered`)).body.data.length === 1);
});

test("the feed is read from a sequence, and any other position is refused", async () => {
  const { api } = await aShop();
  for (const after of ["", "x", "-1", "1.5", "1e3", "99999999999999999"])
    expectError(await api.get(`/api/v1/events?after=${after}`), "VALIDATION_ERROR");
  expect((await api.get("/api/v1/events?after=0")).status).toBe(200);
});
