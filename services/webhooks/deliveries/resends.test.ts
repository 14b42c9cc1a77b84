import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { changeEndpoint } from "../endpoints/change-endpoint.ts";
import { getEndpoint } from "../endpoints/read-endpoints.ts";
import { feedOf, headersOf, sequencesOf, withDispatcher } from "../sending/dispatcher.fixture.ts";
import { anEvent, deliveriesOf } from "../webhooks.fixture.ts";
import { getDeliveryDetail } from "./read-deliveries.ts";
import { resendDelivery, sendTestEvent } from "./resend.ts";
import { resendFailedSince } from "./resend-since.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { aSubscriber, dispatcher, untilAll } = withDispatcher();

test("a delivery that is resent during an attempt is sent again, whatever the outcome of that attempt", async () => {
  for (const status of [200, 500]) {
    const { shop, receiver, endpoint } = await aSubscriber();
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.behave(() => answer.promise);
    await anEvent(shop);
    await until(async () => receiver.received.length === 1);
    const [row] = await deliveriesOf(endpoint);
    await sql()`update webhook_deliveries set tries = 9 where endpoint_id = ${endpoint.id}`;
    await resendDelivery(shop.ctx, row?.id ?? "");
    receiver.behave(() => ({ status: 200 }));
    answer.resolve({ status });
    await untilAll(endpoint, "delivered", 2);
    expect(receiver.received).toHaveLength(2);
  }
});

test("an endpoint that was disabled gets the events that it missed on request, once each and in order", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await anEvent(shop);
  await untilAll(endpoint, "delivered", 1);
  const answer = Promise.withResolvers<{ status: number }>();
  receiver.behave(() => answer.promise);
  await anEvent(shop);
  await until(async () => receiver.received.length === 2);
  await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
  answer.resolve({ status: 500 });
  await anEvent(shop);
  await anEvent(shop);
  receiver.behave(() => ({ status: 200 }));
  const since = new Date(Date.now() - 60_000);
  await expect(resendFailedSince(shop.ctx, endpoint.id, { since, after: 0 })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
  await Promise.all(times(3, () => resendFailedSince(shop.ctx, endpoint.id, { since, after: 0 })));
  await until(async () => {
    // The failure of the second event pauses the endpoint for a second, and may come after the request.
    await dispatcher.sweep();
    return (await deliveriesOf(endpoint)).filter(({ sequence }) => sequence > 2).every(({ status }) => status === "delivered");
  });
  expect(sequencesOf(receiver.received).filter((sequence) => sequence > 2)).toEqual([3, 4]);
  expect(await deliveriesOf(endpoint)).toHaveLength(4);
});

test("a delivered event is sent again on request, with the same id", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await anEvent(shop);
  const [first] = await untilAll(endpoint, "delivered", 1);
  await resendDelivery(shop.ctx, first?.id ?? "");
  await untilAll(endpoint, "delivered", 2);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([first?.event_id, first?.event_id]);
  expect((await getDeliveryDetail(shop.ctx, first?.id ?? "")).attempts.map(({ number }) => number)).toEqual([1, 2]);
});

test("an attempt is shown for 30 days, also while its row is still there", async () => {
  const { shop, endpoint } = await aSubscriber();
  await anEvent(shop);
  const [first] = await untilAll(endpoint, "delivered", 1);
  const ofAge = async (age: string) => {
    await sql()`update webhook_attempts set started_at = now() - ${age}::interval where merchant_id = ${shop.merchant.id}`;
    return (await getDeliveryDetail(shop.ctx, first?.id ?? "")).attempts.length;
  };
  expect(await ofAge("30 days -1 minute")).toBe(1);
  expect(await ofAge("30 days 1 minute")).toBe(0);
});

test("a test event is sent once, also to a disabled endpoint, is not in the feed and does not change the endpoint's health", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
  receiver.behave(() => ({ status: 500 }));
  const { id } = await sendTestEvent(shop.ctx, endpoint.id);
  await untilAll(endpoint, "failed", 1);
  const [one] = receiver.received;
  if (!one) throw new Error("nothing came");
  expect(new Webhook(endpoint.secret).verify(one.body, headersOf(one))).toMatchObject({ type: "webhook.test", sequence: 0 });
  expect((await getDeliveryDetail(shop.ctx, id)).requestBody).toBe(one.body);
  expect(await feedOf(shop)).toEqual([]);
  await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
  for (const status of [500, 410]) {
    receiver.behave(() => ({ status }));
    await sendTestEvent(shop.ctx, endpoint.id);
    await untilAll(endpoint, "failed", 1);
    await dispatcher.settle();
    expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ status: "enabled", failingSince: null, pausedUntil: null });
  }
});

test("resend requests for one delivery and for all of them at the same time do not deadlock", async () => {
  const { shop, endpoint } = await aSubscriber();
  await Promise.all(times(30, (i) => anEvent(shop, { i })));
  const rows = await untilAll(endpoint, "delivered", 1);
  const since = new Date(Date.now() - 60_000);
  for (let round = 0; round < 15; round++) {
    const single = rows.slice(0, 3).map(({ id }) => resendDelivery(shop.ctx, id));
    await Promise.all([resendFailedSince(shop.ctx, endpoint.id, { since, after: 0 }), ...single]);
  }
  await untilAll(endpoint, "delivered", 1);
});

test("a resend request that its replay finishes sends the delivery once", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await anEvent(shop);
  const [row] = await untilAll(endpoint, "delivered", 1);
  const ctx = { ...shop.ctx, resourceId: "req_once" };
  await resendDelivery(ctx, row?.id ?? "");
  await untilAll(endpoint, "delivered", 2);
  await resendDelivery({ ...ctx, resumed: true }, row?.id ?? "");
  expect((await deliveriesOf(endpoint))[0]?.status).toBe("delivered");
  expect(receiver.received).toHaveLength(2);
});
