import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { listAlerts } from "../../alerts/index.ts";
import { countMissedBy } from "../deliveries/count-missed.ts";
import { resendFailedSince } from "../deliveries/resend-since.ts";
import { changeEndpoint, deleteEndpoint } from "../endpoints/change-endpoint.ts";
import { getEndpoint } from "../endpoints/read-endpoints.ts";
import { anEvent, deliveriesOf, makeRetriesDue } from "../webhooks.fixture.ts";
import { withDispatcher } from "./dispatcher.fixture.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { aSubscriber, dispatcher, untilAll } = withDispatcher();

test("an endpoint that answers 410 is disabled with an alert to its merchant and gets nothing more", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 410 }));
  await anEvent(shop);
  await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).status === "disabled");
  expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ disabledReason: "gone" });
  await untilAll(endpoint, "failed", 1);
  expect((await listAlerts(shop.ctx, { limit: 10 })).items).toMatchObject([
    { type: "webhook_endpoint.disabled", resourceId: endpoint.id, message: expect.stringContaining("410") },
  ]);
  await anEvent(shop);
  expect(await deliveriesOf(endpoint)).toHaveLength(1);
});

test("an endpoint that has failed for five days, and no less, is disabled with one alert", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  const failingFor = (interval: string) =>
    sql()`update webhook_endpoints set failing_since = now() - ${interval}::text::interval where id = ${endpoint.id}`;
  await anEvent(shop);
  await untilAll(endpoint, "pending", 1);
  await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).failingSince !== null);
  await failingFor("4 days 23 hours");
  await makeRetriesDue(endpoint);
  await untilAll(endpoint, "pending", 2);
  expect((await getEndpoint(shop.ctx, endpoint.id)).status).toBe("enabled");
  await failingFor("5 days");
  await anEvent(shop);
  await makeRetriesDue(endpoint);
  await untilAll(endpoint, "failed", 0);
  expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ status: "disabled", disabledReason: "failing" });
  expect((await listAlerts(shop.ctx, { limit: 10 })).items).toHaveLength(1);
});

test.each([
  [410, "answered 410 Gone and was disabled."],
  [500, "has failed for 5 days and was disabled."],
])("the alert of an endpoint that is disabled after %i names its host and no secret of its address", async (status, words) => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await changeEndpoint(shop.ctx, endpoint.id, { url: `${receiver.url}/p4th-secret?token=qu3ry-secret` });
  await sql()`update webhook_endpoints set failing_since = now() - interval '5 days', last_failed_at = now() where id = ${endpoint.id}`;
  receiver.behave(() => ({ status }));
  await anEvent(shop);
  await untilAll(endpoint, "failed", 1);
  const [alert] = (await listAlerts(shop.ctx, { limit: 10 })).items;
  expect(alert?.message).toContain(`The webhook endpoint of ${new URL(receiver.url).host} ${words}`);
  expect(alert?.message).not.toContain("secret");
});

test("an endpoint that failed long ago and was not called since is not disabled by its next failure", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  await sql()`update webhook_endpoints set failing_since = now() - interval '10 days', last_failed_at = now() - interval '7 days' where id = ${endpoint.id}`;
  await anEvent(shop);
  await untilAll(endpoint, "pending", 1);
  const { status, failingSince } = await until(async () => {
    const now = await getEndpoint(shop.ctx, endpoint.id);
    return (now.failingSince?.getTime() ?? 0) > Date.now() - 60_000 ? now : undefined;
  });
  expect(status).toBe("enabled");
  expect(failingSince).not.toBeNull();
});

test("an endpoint that moved is neither disabled nor failing because of an answer from its old address", async () => {
  for (const status of [410, 500]) {
    const { shop, receiver, endpoint } = await aSubscriber();
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.behave(({ path }) => (path === "/hook" ? answer.promise : { status: 200 }));
    await anEvent(shop);
    await until(async () => receiver.received.length === 1);
    await changeEndpoint(shop.ctx, endpoint.id, { url: `${receiver.url}/new` });
    answer.resolve({ status });
    await until(async () => (await deliveriesOf(endpoint))[0]?.attempt_count === 1);
    await dispatcher.settle();
    expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ status: "enabled", failingSince: null, pausedUntil: null });
    await makeRetriesDue(endpoint);
    await untilAll(endpoint, "delivered", 2);
    expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ status: "enabled", failingSince: null });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook", "/new"]);
  }
});

test("the missed time of an endpoint begins with the first failed event, and ends when the endpoint takes deliveries again", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  await anEvent(shop);
  await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).failingSince !== null);
  await anEvent(shop);
  await untilAll(endpoint, "pending", 1);
  const { missedFrom, failingSince } = await getEndpoint(shop.ctx, endpoint.id);
  const [first] = await sql()`select created_at from events where merchant_id = ${shop.merchant.id} order by sequence limit 1`;
  expect(missedFrom).toEqual(new Date(first?.created_at));
  expect(failingSince?.getTime()).toBeGreaterThanOrEqual(missedFrom?.getTime() ?? Number.NaN);
  receiver.behave(() => ({ status: 200 }));
  await makeRetriesDue(endpoint);
  await untilAll(endpoint, "delivered", 2);
  await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).failingSince === null);
  expect((await getEndpoint(shop.ctx, endpoint.id)).missedFrom).toBeNull();
});

test("a new outage long after an old one sets a new beginning of the missed time", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await sql()`
    update webhook_endpoints set failing_since = now() - interval '10 days', last_failed_at = now() - interval '7 days', missed_from = now() - interval '10 days'
    where id = ${endpoint.id}`;
  receiver.behave(() => ({ status: 500 }));
  await anEvent(shop);
  const missedFrom = () => getEndpoint(shop.ctx, endpoint.id).then((found) => found.missedFrom?.getTime() ?? 0);
  await until(async () => (await missedFrom()) > Date.now() - 60_000);
});

test("events that wait when a merchant disables an endpoint count as missed until they are sent again", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await sql()`update webhook_endpoints set paused_until = now() + interval '1 hour' where id = ${endpoint.id}`;
  await anEvent(shop);
  const [waiting] = await sql()`select created_at from webhook_deliveries where endpoint_id = ${endpoint.id}`;
  const disabled = await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
  expect(disabled.missedFrom).toEqual(new Date(waiting?.created_at));
  await untilAll(endpoint, "failed", 0);
  const { missedFrom } = await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
  expect(missedFrom).toEqual(disabled.missedFrom);
  const request = { since: missedFrom ?? new Date(), after: 0 };
  expect(await countMissedBy(shop.ctx, endpoint.id, request)).toMatchObject({ missed: 1, isExact: true });
  await resendFailedSince(shop.ctx, endpoint.id, request);
  await untilAll(endpoint, "delivered", 1);
  expect(receiver.received).toHaveLength(1);
});

test("a failing endpoint that takes a delivery is healthy again", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  await anEvent(shop);
  await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).failingSince !== null);
  receiver.behave(() => ({ status: 204 }));
  await makeRetriesDue(endpoint);
  await untilAll(endpoint, "delivered", 2);
  await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).failingSince === null);
});

test("a delivery that is answered 200 just after its endpoint was disabled counts as delivered", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  const answer = Promise.withResolvers<{ status: number }>();
  receiver.behave(() => answer.promise);
  await anEvent(shop);
  await until(async () => receiver.received.length === 1);
  await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
  await dispatcher.sweep();
  await until(async () => (await deliveriesOf(endpoint))[0]?.status === "failed");
  answer.resolve({ status: 200 });
  await untilAll(endpoint, "delivered", 1);
});

test("a retry fails when its endpoint is disabled, and is sent on request once the endpoint is enabled", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  await anEvent(shop);
  await untilAll(endpoint, "pending", 1);
  await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
  await untilAll(endpoint, "failed", 1);
  expect((await deliveriesOf(endpoint))[0]?.last_error).toMatch(/disabled/);
  receiver.behave(() => ({ status: 200 }));
  await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
  await resendFailedSince(shop.ctx, endpoint.id, { since: new Date(Date.now() - 60_000), after: 0 });
  await untilAll(endpoint, "delivered", 2);
});

test("a delivery that is written while its endpoint is being disabled fails without being sent", async () => {
  const { receiver, endpoint } = await aSubscriber();
  await sql()`update webhook_endpoints set status = 'disabled', disabled_reason = 'merchant', disabled_at = now() where id = ${endpoint.id}`;
  await sql()`
    insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence)
    values (${endpoint.merchantId}, 'dlv_x', ${endpoint.id}, 'evt_x', 'checkout.success', 1)`;
  await untilAll(endpoint, "failed", 0);
  expect(receiver.received).toEqual([]);
});

test("a deleted endpoint gets no pending delivery and keeps no secret", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  await anEvent(shop);
  await untilAll(endpoint, "pending", 1);
  await deleteEndpoint(shop.ctx, endpoint.id);
  await untilAll(endpoint, "failed", 1);
  await sql()`update webhook_endpoints set deleted_at = now() - interval '3 minutes' where id = ${endpoint.id}`;
  await until(async () => {
    await dispatcher.sweep();
    return (await sql()`select 1 from webhook_endpoints where id = ${endpoint.id}`).length === 0;
  });
  await dispatcher.sweep();
  expect(await deliveriesOf(endpoint)).toHaveLength(1);
  expect(await sql()`select 1 from webhook_secrets where endpoint_id = ${endpoint.id}`).toHaveLength(0);
  await expect(getEndpoint(shop.ctx, endpoint.id)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
});
