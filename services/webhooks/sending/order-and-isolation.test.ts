import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import { times, until } from "#testing/until.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { resendFailedSince } from "../deliveries/resend-since.ts";
import { changeEndpoint, deleteEndpoint } from "../endpoints/change-endpoint.ts";
import { anEndpoint, anEvent, deliveriesOf, makeRetriesDue } from "../webhooks.fixture.ts";
import { sequencesOf, withDispatcher } from "./dispatcher.fixture.ts";
import { Dispatcher } from "./dispatcher.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { aSubscriber, deliverToAnother, dispatcher, untilAll } = withDispatcher();

test("deliveries of an endpoint start in the order of their sequence, once each, also with several workers", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  const second = new Dispatcher();
  second.start();
  receiver.behave(async () => {
    await wait(Math.random() * 20);
    return { status: 200 };
  });
  for (let batch = 0; batch < 10; batch++) {
    await Promise.all(times(10, (i) => anEvent(shop, { batch, i })));
    await Promise.all([dispatcher.sweep(), second.sweep()]);
  }
  await untilAll(endpoint, "delivered", 1);
  await second.stop();
  expect(sequencesOf(receiver.received).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  const started = await sql()<{ sequence: bigint; started_at: string }[]>`
    select d.sequence, a.started_at from webhook_attempts a join webhook_deliveries d on d.merchant_id = a.merchant_id and d.id = a.delivery_id
    where d.endpoint_id = ${endpoint.id} order by d.sequence`;
  const startTimes = started.map(({ started_at }) => Date.parse(started_at));
  expect(startTimes).toEqual(startTimes.toSorted((a, b) => a - b));
});

test("a first attempt does not wait for a retry", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(({ body }) => ({ status: JSON.parse(body).sequence === 1 ? 500 : 200 }));
  await anEvent(shop);
  await untilAll(endpoint, "pending", 1);
  await anEvent(shop);
  await until(async () => {
    await dispatcher.sweep();
    return (await deliveriesOf(endpoint)).some(({ status, sequence }) => status === "delivered" && sequence === 2n);
  });
  // The receiver changes before the retry is due, because a lane that is awake takes a due retry at once.
  receiver.behave(() => ({ status: 200 }));
  await makeRetriesDue(endpoint);
  await untilAll(endpoint, "delivered", 1);
  expect(sequencesOf(receiver.received)).toEqual([1, 2, 1]);
});

test("resent deliveries start in the order of their sequence, and first attempts do not wait for all of them", async () => {
  const count = 60;
  const { shop, receiver, endpoint } = await aSubscriber();
  await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
  await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
  await Promise.all(times(count, (i) => anEvent(shop, { i })));
  await untilAll(endpoint, "delivered", 1);
  receiver.received.length = 0;
  await sql()`update webhook_deliveries set status = 'failed', delivered_at = null where endpoint_id = ${endpoint.id}`;
  const answer = Promise.withResolvers<{ status: number }>();
  receiver.behave(() => answer.promise);
  await resendFailedSince(shop.ctx, endpoint.id, { since: new Date(Date.now() - 60_000), after: 0 });
  await until(async () => receiver.received.length > 0);
  await anEvent(shop, { fresh: true });
  answer.resolve({ status: 200 });
  await untilAll(endpoint, "delivered", 1);
  expect(sequencesOf(receiver.received).indexOf(count + 1)).toBeLessThan(20);
  const started = await sql()<{ sequence: bigint }[]>`
    select d.sequence from webhook_attempts a join webhook_deliveries d on d.merchant_id = a.merchant_id and d.id = a.delivery_id
    where d.endpoint_id = ${endpoint.id} and a.number = 2 order by a.started_at, d.sequence`;
  expect(started.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: count }, (_, i) => i + 1));
});

test("endpoints that never complete a connection delay no other endpoint, not even one that has just failed", async () => {
  const silent = createServer();
  const url = `https://localhost:${await listenOnLoopback(silent)}/`;
  const dead = await aMerchant();
  const stuck = await Promise.all(times(20, () => anEndpoint(dead, url)));
  await sql()`update webhook_endpoints set failing_since = now(), last_failed_at = now() where merchant_id = ${dead.merchant.id}`;
  await anEvent(dead);
  const alive = await aSubscriber();
  await sql()`update webhook_endpoints set failing_since = now(), last_failed_at = now() where id = ${alive.endpoint.id}`;
  await dispatcher.sweep();
  await anEvent(alive.shop);
  // Shorter than the 15 s after which a silent handshake is given up.
  await until(async () => alive.receiver.received.length === 1, 10_000);
  for (const { id } of stuck) await deleteEndpoint(dead.ctx, id);
  silent.close();
});

test("a failing endpoint gets one delivery at a time", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await sql()`update webhook_endpoints set failing_since = now(), last_failed_at = now() where id = ${endpoint.id}`;
  receiver.behave(() => "hang");
  await Promise.all(times(10, (i) => anEvent(shop, { i })));
  await until(async () => receiver.received.length > 0);
  await deliverToAnother();
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
  await deleteEndpoint(shop.ctx, endpoint.id);
});

test("an endpoint that hangs delays no other endpoint and has at most two attempts under way", async () => {
  const [dead, alive] = [await aSubscriber(), await aSubscriber()];
  dead.receiver.behave(() => "hang");
  await Promise.all(times(40, (i) => anEvent(dead.shop, { i })));
  await until(async () => dead.receiver.received.length >= 2);
  await anEvent(alive.shop);
  // Shorter than the 15 s after which an attempt that hangs times out.
  await until(async () => alive.receiver.received.length === 1, 10_000);
  expect(dead.receiver.received).toHaveLength(2);
  await dead.receiver.close();
  await deleteEndpoint(dead.shop.ctx, dead.endpoint.id);
});
