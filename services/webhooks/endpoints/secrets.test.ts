import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import type { Received } from "#testing/receiver.ts";
import { headersOf, withDispatcher } from "../sending/dispatcher.fixture.ts";
import { anEvent, makeRetriesDue } from "../webhooks.fixture.ts";
import { rollSecret } from "./roll-secret.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { aSubscriber, untilAll } = withDispatcher();

test("a delivery that cannot be signed is not sent and says what to do, and one readable secret of two is enough", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await sql()`update webhook_secrets set sealed = 'v1.00000000.AAAA' where endpoint_id = ${endpoint.id}`;
  await anEvent(shop);
  const [row] = await untilAll(endpoint, "pending", 1);
  expect(row?.last_error).toMatch(/secret cannot be read. Roll it/);
  expect(receiver.received).toEqual([]);
  const { secret = "" } = await rollSecret(shop.ctx, endpoint.id, 60_000);
  await makeRetriesDue(endpoint);
  await untilAll(endpoint, "delivered", 2);
  const [one] = receiver.received;
  if (!one) throw new Error("nothing came");
  new Webhook(secret).verify(one.body, headersOf(one));
});

test("an endpoint whose secret is rolled gets signatures of both secrets during the overlap, then of the new one alone", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  const rolled = await rollSecret(shop.ctx, endpoint.id, 60_000);
  const verifies = (secret: string, one: Received) => new Webhook(secret).verify(one.body, headersOf(one));
  await anEvent(shop);
  await untilAll(endpoint, "delivered", 1);
  const [during] = receiver.received;
  if (!during || !rolled.secret) throw new Error("nothing came");
  verifies(rolled.secret, during);
  verifies(endpoint.secret, during);
  const last = await rollSecret(shop.ctx, endpoint.id, 0);
  await anEvent(shop);
  await untilAll(endpoint, "delivered", 1);
  const after = receiver.received[1];
  if (!after || !last.secret) throw new Error("nothing came");
  verifies(last.secret, after);
  expect(() => verifies(endpoint.secret, after)).toThrow();
  expect(() => verifies(rolled.secret ?? "", after)).toThrow();
});

test("secrets of endpoints are stored sealed", async () => {
  const { endpoint } = await aSubscriber();
  const rows = await sql()`select * from webhook_secrets where endpoint_id = ${endpoint.id}`;
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(endpoint.secret.slice(6, 20));
});
