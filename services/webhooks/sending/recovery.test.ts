import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { anEvent, deliveriesOf, makeRetriesDue } from "../webhooks.fixture.ts";
import { withDispatcher } from "./dispatcher.fixture.ts";
import { Dispatcher } from "./dispatcher.ts";
import { countRefusals, refuseAttemptsAt } from "./refusing.fixture.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { aSubscriber, dispatcher, untilAll } = withDispatcher();

test("an answer that comes while the database fails is stored as soon as the database works again", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  const answer = Promise.withResolvers<{ status: number }>();
  receiver.behave(() => answer.promise);
  await anEvent(shop);
  await until(async () => receiver.received.length === 1);
  const allow = await refuseAttemptsAt(receiver.url, "53300");
  answer.resolve({ status: 200 });
  await until(async () => (await countRefusals()) > 0);
  await allow();
  await untilAll(endpoint, "delivered", 1);
  expect(receiver.received).toHaveLength(1);
});

test.each([
  { status: 200, parked: "delivered" },
  { status: 500, parked: "failed" },
])(
  "a delivery whose answer ($status) can never be stored is sent twice, then it is $parked, with an alert, and others go on",
  async (kind) => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const other = await aSubscriber();
    receiver.behave(() => ({ status: kind.status }));
    const allow = await refuseAttemptsAt(receiver.url);
    try {
      await anEvent(shop);
      await until(async () => {
        await dispatcher.sweep();
        return (await deliveriesOf(endpoint)).every(({ status }) => status === kind.parked);
      }, 60_000);
    } finally {
      await allow();
    }
    expect(receiver.received).toHaveLength(2);
    const [delivery] = await deliveriesOf(endpoint);
    expect(delivery).toMatchObject({ next_attempt_at: null, last_error: expect.stringContaining("could not store the answers") });
    const alerts =
      await sql()`select message from alerts where type = 'webhook_delivery.unsettled' and resource_id = ${delivery?.id ?? ""}`;
    expect(alerts).toHaveLength(1);
    await dispatcher.sweep();
    await anEvent(other.shop);
    await untilAll(other.endpoint, "delivered", 1);
    expect(receiver.received).toHaveLength(2);
  },
);

test("failures to store an answer of a delivery are forgotten once an answer is stored", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  const received = (count: number) =>
    until(async () => {
      await dispatcher.sweep();
      return receiver.received.length >= count;
    }, 60_000);
  let allow = await refuseAttemptsAt(receiver.url);
  await anEvent(shop);
  await received(1);
  // The second request says that the first answer was given up.
  await received(2);
  await allow();
  await untilAll(endpoint, "pending", 1);
  allow = await refuseAttemptsAt(receiver.url);
  await makeRetriesDue(endpoint);
  await received(3);
  await makeRetriesDue(endpoint);
  await received(4);
  await allow();
  expect((await deliveriesOf(endpoint)).map(({ status }) => status)).toEqual(["pending"]);
});

test("when the channel breaks, the sweep finds deliveries whose wake-up was lost, and later wake-ups arrive again", async () => {
  const { shop, receiver } = await aSubscriber();
  await sql()`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`;
  await anEvent(shop);
  await until(async () => {
    await dispatcher.sweep();
    return receiver.received.length === 1;
  });
  const before = receiver.received.length;
  await until(async () => {
    await anEvent(shop);
    return receiver.received.length > before;
  }, 20_000);
});

test("a worker that stops lets its attempts end and stores each one that it began", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(async () => {
    await wait(100);
    return { status: 200 };
  });
  await dispatcher.stop();
  await Promise.all(times(30, (i) => anEvent(shop, { i })));
  const leaving = new Dispatcher();
  await leaving.sweep();
  await until(async () => receiver.received.length > 0);
  await leaving.stop();
  const stored = (await deliveriesOf(endpoint)).filter(({ attempt_count }) => attempt_count > 0);
  expect(stored).toHaveLength(receiver.received.length);
  expect(await sql()`select 1 from webhook_endpoints where id = ${endpoint.id} and leased_by is not null`).toHaveLength(0);
  dispatcher.start();
  await untilAll(endpoint, "delivered", 1);
  expect(receiver.received).toHaveLength(30);
});

test("while the row of one endpoint is locked, the leases of the others are prolonged", async () => {
  const [locked, busy] = [await aSubscriber(), await aSubscriber()];
  const answer = Promise.withResolvers<{ status: number }>();
  busy.receiver.behave(() => answer.promise);
  await anEvent(locked.shop);
  await untilAll(locked.endpoint, "delivered", 1);
  await anEvent(busy.shop);
  await until(async () => busy.receiver.received.length === 1);
  const leaseEnd = async () => {
    const [row] = await sql()<
      { until: string }[]
    >`select leased_until::text as until from webhook_endpoints where id = ${busy.endpoint.id}`;
    return row?.until;
  };
  await sql().begin(async (tx) => {
    await tx`select 1 from webhook_endpoints where id = ${locked.endpoint.id} for update`;
    const before = await leaseEnd();
    await until(async () => (await leaseEnd()) !== before, 8_000);
  });
  answer.resolve({ status: 200 });
  await untilAll(busy.endpoint, "delivered", 1);
});

test("a worker that stops gives its leases back at once", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  const second = new Dispatcher();
  await sql()`update webhook_endpoints set leased_by = 'another', leased_until = now() + interval '1 hour' where id = ${endpoint.id}`;
  await anEvent(shop);
  await dispatcher.sweep();
  expect(receiver.received).toEqual([]);
  await sql()`update webhook_endpoints set leased_by = null, leased_until = null where id = ${endpoint.id}`;
  await second.sweep();
  await untilAll(endpoint, "delivered", 1);
  const leases = () => sql()`select leased_by from webhook_endpoints where id = ${endpoint.id} and leased_by is not null`;
  expect(await leases()).toHaveLength(1);
  await second.stop();
  await dispatcher.stop();
  expect(await leases()).toHaveLength(0);
  dispatcher.start();
});
