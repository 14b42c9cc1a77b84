import { Webhook } from "standardwebhooks";
import { afterEach, expect, test, vi } from "vitest";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import type { Reply } from "#testing/receiver.ts";
import { times, until } from "#testing/until.ts";
import { getDeliveryDetail } from "../deliveries/read-deliveries.ts";
import { sendTestEvent } from "../deliveries/resend.ts";
import { getEndpoint } from "../endpoints/read-endpoints.ts";
import { anEvent, deliveriesOf, MAX_JITTER, makeRetriesDue, RETRY_WAITS_S } from "../webhooks.fixture.ts";
import { DatabaseClock } from "./database-clock.ts";
import { headersOf, withDispatcher } from "./dispatcher.fixture.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { aSubscriber, deliverToAnother, dispatcher, untilAll } = withDispatcher();
afterEach(() => vi.restoreAllMocks());

/** At most this passes between an attempt and our read of when the next one is due. */
const MAX_READ_DELAY_S = 4;

test("a failed attempt is stored with its request, answer and duration, and is retried after the table's wait", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500, body: `\0${"x".repeat(20_000)}` }));
  await anEvent(shop);
  const [row] = await untilAll(endpoint, "pending", 1);
  expect(row).toMatchObject({ status: "pending", attempt_count: 1, last_response_status: 500 });
  const [firstWaitS = Number.NaN] = RETRY_WAITS_S;
  expect(row?.due_in).toBeGreaterThan(firstWaitS - MAX_READ_DELAY_S);
  expect(row?.due_in).toBeLessThan(firstWaitS * (1 + MAX_JITTER));
  const { attempts, requestBody } = await getDeliveryDetail(shop.ctx, row?.id ?? "");
  expect(requestBody).toBe(receiver.received[0]?.body);
  expect(attempts).toMatchObject([{ number: 1, url: endpoint.url, responseStatus: 500, error: null }]);
  expect(attempts[0]?.responseBody).toHaveLength(16 * 1024);
  expect(attempts[0]?.requestHeaders["webhook-id"]).toBe(row?.event_id);
  expect(attempts[0]?.durationMs).toBeGreaterThanOrEqual(0);
});

test("a delivery fails after ten attempts, each with the same id and body and a valid signature", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 503 }));
  await anEvent(shop);
  const waits: number[] = [];
  for (let attempts = 1; attempts <= RETRY_WAITS_S.length; attempts++) {
    const [row] = await untilAll(endpoint, "pending", attempts);
    waits.push(row?.due_in ?? 0);
    await makeRetriesDue(endpoint);
  }
  await untilAll(endpoint, "failed", 10);
  for (const [i, seconds] of RETRY_WAITS_S.entries()) {
    expect(waits[i]).toBeGreaterThan(seconds - MAX_READ_DELAY_S);
    expect(waits[i]).toBeLessThan(seconds * (1 + MAX_JITTER) + 1);
  }
  expect(receiver.received).toHaveLength(10);
  expect(new Set(receiver.received.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
  for (const one of receiver.received) new Webhook(endpoint.secret).verify(one.body, headersOf(one));
});

test.each([
  { asked: "90 seconds", header: () => "90", waitS: 90 },
  { asked: "a date in two minutes", header: () => new Date(Date.now() + 2 * MINUTE_MS).toUTCString(), waitS: 120 },
  { asked: "more than a day", header: () => "999999", waitS: DAY_MS / SECOND_MS },
  { asked: "nonsense", header: () => "soon", waitS: 5 },
  { asked: "less than the table's wait", header: () => "1", waitS: 5 },
])("a Retry-After of $asked delays the retry by $waitS s", async ({ header, waitS }) => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 429, headers: { "Retry-After": header() } }));
  await anEvent(shop);
  const [row] = await untilAll(endpoint, "pending", 1);
  expect(row?.due_in).toBeGreaterThan(waitS - MAX_READ_DELAY_S);
  expect(row?.due_in).toBeLessThan(waitS + 3);
});

test("a failing endpoint that asks for time is paused: only test events are sent before that time has passed", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 429, headers: { "Retry-After": "60" } }));
  await anEvent(shop);
  await until(async () => (await deliveriesOf(endpoint))[0]?.attempt_count === 1);
  await Promise.all(times(50, (i) => anEvent(shop, { i })));
  await deliverToAnother();
  // Two attempts may be under way when the first answer comes.
  expect(receiver.received.length).toBeLessThanOrEqual(2);
  receiver.behave(() => ({ status: 200 }));
  await sendTestEvent(shop.ctx, endpoint.id);
  await until(async () => receiver.received.some(({ body }) => body.includes("webhook.test")));
  await makeRetriesDue(endpoint);
  await untilAll(endpoint, "delivered", 1);
});

test("a pause does not end with the success of an attempt that began before it, even if our clock is ahead of the database's", async () => {
  vi.spyOn(DatabaseClock.prototype, "now").mockImplementation(() => new Date(Date.now() + MINUTE_MS));
  const { shop, receiver, endpoint } = await aSubscriber();
  const [first, second] = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()];
  receiver.behave(({ body }) => (JSON.parse(body).sequence === 1 ? first.promise : second.promise));
  await anEvent(shop);
  await anEvent(shop);
  await until(async () => receiver.received.length === 2);
  const pauseEndMs = async () => (await getEndpoint(shop.ctx, endpoint.id)).pausedUntil?.getTime() ?? 0;
  first.resolve({ status: 429, headers: { "Retry-After": "50" } });
  await until(async () => (await pauseEndMs()) > Date.now() + 40_000);
  second.resolve({ status: 200 });
  await until(async () => (await deliveriesOf(endpoint)).some(({ status }) => status === "delivered"));
  await dispatcher.settle();
  expect(await pauseEndMs()).toBeGreaterThan(Date.now() + 40_000);
});
