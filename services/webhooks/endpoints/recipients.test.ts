import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { appendEvent } from "../../events/append-event.ts";
import { feedOf, headersOf, sequencesOf, withDispatcher } from "../sending/dispatcher.fixture.ts";
import { anEndpoint, anEvent, deliveriesOf } from "../webhooks.fixture.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const { aReceiver, aSubscriber, untilAll } = withDispatcher();

test("a delivery's body is the event of the feed, and the standardwebhooks package verifies its signature", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await anEvent(shop, { reference: "R1", zebra: 1, amount: 99.5, apple: "ö🎉" });
  await until(async () => receiver.received.length === 1);
  const [one] = receiver.received;
  const [event] = await feedOf(shop);
  if (!one || !event) throw new Error("nothing came");
  const { id, ...content } = event;
  expect(new Webhook(endpoint.secret).verify(one.body, headersOf(one))).toEqual(content);
  expect(one.headers).toMatchObject({ "webhook-id": id, "content-type": "application/json; charset=utf-8" });
  expect(one.body).toContain('"data":{"reference":"R1","zebra":1,"amount":99.5,"apple":"ö🎉"}');
  expect(() => new Webhook(endpoint.secret).verify(`${one.body} `, headersOf(one))).toThrow();
});

test("an event goes to every endpoint that wants its type and to no other", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  const picky = await aReceiver();
  const other = await anEndpoint(shop, picky.url, ["checkout.expired", "card.funded"]);
  await anEvent(shop, {}, "checkout.success");
  await anEvent(shop, {}, "checkout.expired");
  await untilAll(endpoint, "delivered", 1);
  await untilAll(other, "delivered", 1);
  expect(sequencesOf(receiver.received)).toEqual([1, 2]);
  expect(sequencesOf(picky.received)).toEqual([2]);
});

test("an event of one merchant goes to no endpoint of another merchant", async () => {
  const [one, two] = [await aSubscriber(), await aSubscriber()];
  await anEvent(one.shop, { whose: "one" });
  await untilAll(one.endpoint, "delivered", 1);
  expect(await deliveriesOf(two.endpoint)).toEqual([]);
});

test("an event and its deliveries are committed together or not at all", async () => {
  const { shop, endpoint } = await aSubscriber();
  const failed = transaction(async (tx) => {
    await appendEvent(tx, shop.merchant.id, "checkout.success", {});
    throw new Error("rolled back");
  });
  await expect(failed).rejects.toThrow("rolled back");
  expect(await deliveriesOf(endpoint)).toEqual([]);
});

test("a delivery does not follow a redirect", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  receiver.behave(({ path }) => (path === "/hook" ? { status: 302, headers: { Location: "/elsewhere" } } : { status: 200 }));
  await anEvent(shop);
  const [row] = await untilAll(endpoint, "pending", 1);
  expect(row?.last_response_status).toBe(302);
  expect(receiver.received).toHaveLength(1);
});

test("a delivery to an address that has become an internal one is not sent and says why", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  await sql()`update webhook_endpoints set url = 'https://169.254.169.254/latest/meta-data' where id = ${endpoint.id}`;
  await anEvent(shop);
  const [row] = await untilAll(endpoint, "pending", 1);
  expect(row?.last_error).toMatch(/^Not called: .*public internet/);
  expect(receiver.received).toEqual([]);
});

test("a live delivery never goes to this machine, whatever the settings say", async () => {
  const { shop, receiver, endpoint } = await aSubscriber();
  const merchant = { ...shop.merchant, id: shop.liveMerchantId, mode: "live" as const };
  const live = { ...shop, merchant, ctx: { ...shop.ctx, merchant } };
  const { id } = await anEndpoint(live, "https://shop.example/");
  await sql()`update webhook_endpoints set url = ${endpoint.url.replace("http:", "https:")} where id = ${id}`;
  await anEvent(live);
  const [row] = await untilAll({ merchantId: shop.liveMerchantId, id }, "pending", 1);
  expect(row?.last_error).toMatch(/^Not called: /);
  expect(receiver.received).toEqual([]);
});
