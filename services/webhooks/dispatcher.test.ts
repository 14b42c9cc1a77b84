import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import type { Received, Reply } from "#testing/receiver.ts";
import { withReceivers } from "#testing/receiver.ts";
import { times, until } from "#testing/until.ts";
import { listAlerts } from "../alerts/index.ts";
import { listEvents, presentEvent } from "../events/index.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { changeEndpoint, deleteEndpoint } from "./change-endpoint.ts";
import { Dispatcher } from "./dispatcher.ts";
import { getDeliveryDetail } from "./read-deliveries.ts";
import { getEndpoint } from "./read-endpoints.ts";
import { resendDelivery, resendFailedSince, sendTestEvent } from "./resend.ts";
import { rollSecret } from "./roll-secret.ts";
import { anEndpoint, anEvent, deliveriesOf, makeRetriesDue } from "./webhooks.fixture.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const aReceiver = withReceivers();

let dispatcher: Dispatcher;
beforeAll(() => {
  dispatcher = new Dispatcher();
  dispatcher.start();
});
afterAll(() => dispatcher.stop());

/** A merchant with one endpoint at a receiver of its own. */
async function aSubscriber() {
  const [shop, receiver] = [await aMerchant(), await aReceiver()];
  return { shop, receiver, endpoint: await anEndpoint(shop, `${receiver.url}/hook`) };
}

const headersOf = ({ headers }: Received) => headers as Record<string, string>;
const sequencesOf = (received: Received[]) => received.map(({ body }) => JSON.parse(body).sequence);
const settled = (endpoint: { merchantId: string; id: string }, status: string, attempts: number) =>
  until(async () => {
    await dispatcher.sweep();
    const rows = await deliveriesOf(endpoint);
    return rows.every((row) => row.status === status && row.attempt_count >= attempts) ? rows : undefined;
  });
const feedOf = async ({ ctx }: TestMerchant) => (await listEvents(ctx, { after: 0, limit: 100 })).items.map(presentEvent);

describe("a delivery", () => {
  test("is what the feed says, signed so that the standardwebhooks package verifies it", async () => {
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

  test("goes to each endpoint that wants its type, and to no other", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const picky = await aReceiver();
    const other = await anEndpoint(shop, picky.url, ["checkout.expired", "card.funded"]);
    await anEvent(shop, {}, "checkout.success");
    await anEvent(shop, {}, "checkout.expired");
    await settled(endpoint, "delivered", 1);
    await settled(other, "delivered", 1);
    expect(sequencesOf(receiver.received)).toEqual([1, 2]);
    expect(sequencesOf(picky.received)).toEqual([2]);
  });

  test("of one merchant goes to no endpoint of another", async () => {
    const [one, two] = [await aSubscriber(), await aSubscriber()];
    await anEvent(one.shop, { whose: "one" });
    await settled(one.endpoint, "delivered", 1);
    expect(await deliveriesOf(two.endpoint)).toEqual([]);
  });

  test("is committed with its event or not at all", async () => {
    const { shop, endpoint } = await aSubscriber();
    const { transaction } = await import("#db/client.ts");
    const { appendEvent } = await import("../events/append-event.ts");
    const failed = transaction(async (tx) => {
      await appendEvent(tx, shop.merchant.id, "checkout.success", {});
      throw new Error("changed our mind");
    });
    await expect(failed).rejects.toThrow("changed our mind");
    expect(await deliveriesOf(endpoint)).toEqual([]);
  });

  test("that fails is kept with its request, its answer and its duration, and comes again by the table", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 500, body: `\0${"x".repeat(20_000)}` }));
    await anEvent(shop);
    const [row] = await settled(endpoint, "pending", 1);
    expect(row).toMatchObject({ status: "pending", attempt_count: 1, last_response_status: 500 });
    // The table says 5 s, and some of them have passed since; its neighbours are 0 and 300.
    expect(row?.due_in).toBeGreaterThan(1);
    expect(row?.due_in).toBeLessThan(6);
    const { attempts, requestBody } = await getDeliveryDetail(shop.ctx, row?.id ?? "");
    expect(requestBody).toBe(receiver.received[0]?.body);
    expect(attempts).toMatchObject([{ number: 1, url: endpoint.url, responseStatus: 500, error: null }]);
    expect(attempts[0]?.responseBody).toHaveLength(16 * 1024);
    expect(attempts[0]?.requestHeaders["webhook-id"]).toBe(row?.event_id);
    expect(attempts[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  test("is tried ten times, with the same id and body and a fresh signature, and then it has failed", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 503 }));
    await anEvent(shop);
    const waits: number[] = [];
    for (let tries = 1; tries < 10; tries++) {
      const [row] = await settled(endpoint, "pending", tries);
      waits.push(row?.due_in ?? 0);
      await makeRetriesDue(endpoint);
    }
    await settled(endpoint, "failed", 10);
    const table = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [i, seconds] of table.entries()) {
      expect(waits[i]).toBeGreaterThan(seconds - 4);
      expect(waits[i]).toBeLessThan(seconds * 1.2 + 1);
    }
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    for (const one of receiver.received) new Webhook(endpoint.secret).verify(one.body, headersOf(one));
  });

  test.each([
    ["seconds", "90", 90],
    ["a date", () => new Date(Date.now() + 120_000).toUTCString(), 120],
    ["too long a time", "999999", 86_400],
    ["nonsense", "soon", 5],
    ["less than the table", "1", 5],
  ])("waits for as long as the endpoint asks, when it asks for %s", async (_name, header, seconds) => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 429, headers: { "Retry-After": typeof header === "string" ? header : header() } }));
    await anEvent(shop);
    const [row] = await settled(endpoint, "pending", 1);
    expect(row?.due_in).toBeGreaterThan(seconds - 4);
    expect(row?.due_in).toBeLessThan(seconds + 3);
  });

  test("is not followed to where a redirect leads", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(({ path }) => (path === "/hook" ? { status: 302, headers: { Location: "/elsewhere" } } : { status: 200 }));
    await anEvent(shop);
    const [row] = await settled(endpoint, "pending", 1);
    expect(row?.last_response_status).toBe(302);
    expect(receiver.received).toHaveLength(1);
  });

  test("asked for again while an attempt is under way is sent again, whatever that attempt comes to", async () => {
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
      await settled(endpoint, "delivered", 2);
      expect(receiver.received).toHaveLength(2);
    }
  });

  test("that was answered 200 while its endpoint was being disabled is delivered", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.behave(() => answer.promise);
    await anEvent(shop);
    await until(async () => receiver.received.length === 1);
    await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
    await dispatcher.sweep();
    await until(async () => (await deliveriesOf(endpoint))[0]?.status === "failed");
    answer.resolve({ status: 200 });
    await settled(endpoint, "delivered", 1);
  });

  test("is kept though the database was away when the answer came", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const answer = Promise.withResolvers<{ status: number }>();
    receiver.behave(() => answer.promise);
    await anEvent(shop);
    await until(async () => receiver.received.length === 1);
    await sql()`alter table webhook_attempts rename to webhook_attempts_gone`;
    answer.resolve({ status: 200 });
    await wait(300);
    await sql()`alter table webhook_attempts_gone rename to webhook_attempts`;
    await settled(endpoint, "delivered", 1);
    expect(receiver.received).toHaveLength(1);
  });

  test("that cannot be signed is not sent, and says what to do; one secret of two is enough", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    await sql()`update webhook_secrets set sealed = 'v1.00000000.AAAA' where endpoint_id = ${endpoint.id}`;
    await anEvent(shop);
    const [row] = await settled(endpoint, "pending", 1);
    expect(row?.last_error).toMatch(/secret cannot be read. Roll it/);
    expect(receiver.received).toEqual([]);
    const { secret = "" } = await rollSecret(shop.ctx, endpoint.id, 60_000);
    await makeRetriesDue(endpoint);
    await settled(endpoint, "delivered", 2);
    const [one] = receiver.received;
    if (!one) throw new Error("nothing came");
    new Webhook(secret).verify(one.body, headersOf(one));
  });

  test("to an address that came to lead inside is not sent, and says why", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    await sql()`update webhook_endpoints set url = 'https://169.254.169.254/latest/meta-data' where id = ${endpoint.id}`;
    await anEvent(shop);
    const [row] = await settled(endpoint, "pending", 1);
    expect(row?.last_error).toMatch(/^Not called: .*public internet/);
    expect(receiver.received).toEqual([]);
  });

  test("of live mode never goes to this machine, whatever the settings say", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const merchant = { ...shop.merchant, id: shop.liveMerchantId, mode: "live" as const };
    const live = { ...shop, merchant, ctx: { ...shop.ctx, merchant } };
    const { id } = await anEndpoint(live, "https://shop.example/");
    await sql()`update webhook_endpoints set url = ${endpoint.url.replace("http:", "https:")} where id = ${id}`;
    await anEvent(live);
    const [row] = await settled({ merchantId: shop.liveMerchantId, id }, "pending", 1);
    expect(row?.last_error).toMatch(/^Not called: /);
    expect(receiver.received).toEqual([]);
  });
});

describe("the order", () => {
  test("in which deliveries of an endpoint start is that of their sequence, once each, with several workers too", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const second = new Dispatcher();
    second.start();
    receiver.behave(async () => {
      await new Promise((done) => setTimeout(done, Math.random() * 20));
      return { status: 200 };
    });
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(times(10, (i) => anEvent(shop, { batch, i })));
      await Promise.all([dispatcher.sweep(), second.sweep()]);
    }
    await settled(endpoint, "delivered", 1);
    await second.stop();
    expect(sequencesOf(receiver.received).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    const started = await sql()<{ sequence: bigint; started_at: string }[]>`
      select d.sequence, a.started_at from webhook_attempts a join webhook_deliveries d on d.merchant_id = a.merchant_id and d.id = a.delivery_id
      where d.endpoint_id = ${endpoint.id} order by d.sequence`;
    const startTimes = started.map(({ started_at }) => Date.parse(started_at));
    expect(startTimes).toEqual(startTimes.toSorted((a, b) => a - b));
  });

  test("of first attempts does not wait for a retry", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(({ body }) => ({ status: JSON.parse(body).sequence === 1 ? 500 : 200 }));
    await anEvent(shop);
    await settled(endpoint, "pending", 1);
    await anEvent(shop);
    await until(async () => {
      await dispatcher.sweep();
      return (await deliveriesOf(endpoint)).some(({ status, sequence }) => status === "delivered" && sequence === 2n);
    });
    // Before the retry is due: a lane that is awake takes it at once.
    receiver.behave(() => ({ status: 200 }));
    await makeRetriesDue(endpoint);
    await settled(endpoint, "delivered", 1);
    expect(sequencesOf(receiver.received)).toEqual([1, 2, 1]);
  });

  test("of what is sent again is that of the sequence, and first attempts do not wait for all of it", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
    await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
    await Promise.all(times(60, (i) => anEvent(shop, { i })));
    await settled(endpoint, "delivered", 1);
    receiver.received.length = 0;
    await sql()`update webhook_deliveries set status = 'failed', delivered_at = null where endpoint_id = ${endpoint.id}`;
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    receiver.behave(async () => {
      await held;
      return { status: 200 };
    });
    await resendFailedSince(shop.ctx, endpoint.id, new Date(Date.now() - 60_000));
    await until(async () => receiver.received.length > 0);
    await anEvent(shop, { fresh: true });
    release();
    await settled(endpoint, "delivered", 1);
    expect(sequencesOf(receiver.received).indexOf(61)).toBeLessThan(20);
    const started = await sql()<{ sequence: bigint }[]>`
      select d.sequence from webhook_attempts a join webhook_deliveries d on d.merchant_id = a.merchant_id and d.id = a.delivery_id
      where d.endpoint_id = ${endpoint.id} and a.number = 2 order by a.started_at, d.sequence`;
    expect(started.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  test("an endpoint that asks for time, or fails, is left in peace for it, and its other deliveries keep their tries", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 429, headers: { "Retry-After": "60" } }));
    await anEvent(shop);
    await until(async () => (await deliveriesOf(endpoint))[0]?.attempt_count === 1);
    await Promise.all(times(50, (i) => anEvent(shop, { i })));
    for (let i = 0; i < 5; i++) {
      await dispatcher.sweep();
      await wait(50);
    }
    // Two may have been under way when the first answer came.
    expect(receiver.received.length).toBeLessThanOrEqual(2);
    receiver.behave(() => ({ status: 200 }));
    await sendTestEvent(shop.ctx, endpoint.id);
    await until(async () => receiver.received.some(({ body }) => body.includes("webhook.test")));
    await makeRetriesDue(endpoint);
    await settled(endpoint, "delivered", 1);
  });

  test("a longer time that an endpoint asked for is not cut short by what began before", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const [first, second] = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()];
    receiver.behave(({ body }) => (JSON.parse(body).sequence === 1 ? first.promise : second.promise));
    await anEvent(shop);
    await anEvent(shop);
    await until(async () => receiver.received.length === 2);
    const holdOf = async () => (await getEndpoint(shop.ctx, endpoint.id)).pausedUntil?.getTime() ?? 0;
    first.resolve({ status: 429, headers: { "Retry-After": "50" } });
    await until(async () => (await holdOf()) > Date.now() + 40_000);
    second.resolve({ status: 200 });
    await until(async () => (await deliveriesOf(endpoint)).some(({ status }) => status === "delivered"));
    await wait(100);
    expect(await holdOf()).toBeGreaterThan(Date.now() + 40_000);
  });

  test("endpoints that never let a connection come about delay no other, nor those that have just failed once", async () => {
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
    // Handshakes that never come end after 15 s.
    await until(async () => alive.receiver.received.length === 1, 10_000);
    for (const { id } of stuck) await deleteEndpoint(dead.ctx, id);
    silent.close();
  });

  test("an endpoint that fails is sent one delivery at a time", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    await sql()`update webhook_endpoints set failing_since = now(), last_failed_at = now() where id = ${endpoint.id}`;
    receiver.behave(() => "hang");
    await Promise.all(times(10, (i) => anEvent(shop, { i })));
    await until(async () => receiver.received.length > 0);
    await dispatcher.sweep();
    await wait(200);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
    await deleteEndpoint(shop.ctx, endpoint.id);
  });

  test("an endpoint that hangs delays no other, nor itself beyond what may be under way", async () => {
    const [dead, alive] = [await aSubscriber(), await aSubscriber()];
    dead.receiver.behave(() => "hang");
    await Promise.all(times(40, (i) => anEvent(dead.shop, { i })));
    await until(async () => dead.receiver.received.length >= 2);
    await anEvent(alive.shop);
    // Attempts that hang end after 15 s.
    await until(async () => alive.receiver.received.length === 1, 10_000);
    expect(dead.receiver.received).toHaveLength(2);
    await dead.receiver.close();
    await deleteEndpoint(dead.shop.ctx, dead.endpoint.id);
  });
});

describe("an endpoint", () => {
  test("that rolls its secret gets both signatures for the overlap, then the new one alone", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const rolled = await rollSecret(shop.ctx, endpoint.id, 60_000);
    const verifies = (secret: string, one: Received) => new Webhook(secret).verify(one.body, headersOf(one));
    await anEvent(shop);
    await settled(endpoint, "delivered", 1);
    const [during] = receiver.received;
    if (!during || !rolled.secret) throw new Error("nothing came");
    verifies(rolled.secret, during);
    verifies(endpoint.secret, during);
    const last = await rollSecret(shop.ctx, endpoint.id, 0);
    await anEvent(shop);
    await settled(endpoint, "delivered", 1);
    const after = receiver.received[1];
    if (!after || !last.secret) throw new Error("nothing came");
    verifies(last.secret, after);
    expect(() => verifies(endpoint.secret, after)).toThrow();
    expect(() => verifies(rolled.secret ?? "", after)).toThrow();
  });

  test("keeps its secrets sealed", async () => {
    const { endpoint } = await aSubscriber();
    const rows = await sql()`select * from webhook_secrets where endpoint_id = ${endpoint.id}`;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(endpoint.secret.slice(6, 20));
  });

  test("that answers 410 is disabled, its merchant is told, and nothing more is sent", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 410 }));
    await anEvent(shop);
    await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).status === "disabled");
    expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ disabledReason: "gone" });
    await settled(endpoint, "failed", 1);
    expect((await listAlerts(shop.ctx, { limit: 10 })).items).toMatchObject([
      { type: "webhook_endpoint.disabled", resourceId: endpoint.id, message: expect.stringContaining("410") },
    ]);
    await anEvent(shop);
    expect(await deliveriesOf(endpoint)).toHaveLength(1);
  });

  test("that has failed for five days is disabled and its merchant is told once; after less it is not", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 500 }));
    const failingFor = (interval: string) =>
      sql()`update webhook_endpoints set failing_since = now() - ${interval}::text::interval where id = ${endpoint.id}`;
    await anEvent(shop);
    await settled(endpoint, "pending", 1);
    await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).failingSince !== null);
    await failingFor("4 days 23 hours");
    await makeRetriesDue(endpoint);
    await settled(endpoint, "pending", 2);
    expect((await getEndpoint(shop.ctx, endpoint.id)).status).toBe("enabled");
    await failingFor("5 days");
    await anEvent(shop);
    await makeRetriesDue(endpoint);
    await settled(endpoint, "failed", 0);
    expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ status: "disabled", disabledReason: "failing" });
    expect((await listAlerts(shop.ctx, { limit: 10 })).items).toHaveLength(1);
  });

  test("that failed long ago and was not asked since is not disabled by its next failure", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 500 }));
    await sql()`update webhook_endpoints set failing_since = now() - interval '10 days', last_failed_at = now() - interval '7 days' where id = ${endpoint.id}`;
    await anEvent(shop);
    await settled(endpoint, "pending", 1);
    const { status, failingSince } = await until(async () => {
      const now = await getEndpoint(shop.ctx, endpoint.id);
      return (now.failingSince?.getTime() ?? 0) > Date.now() - 60_000 ? now : undefined;
    });
    expect(status).toBe("enabled");
    expect(failingSince).not.toBeNull();
  });

  test("that moved to another address is not disabled, nor called failing, by what the old one still answers", async () => {
    for (const status of [410, 500]) {
      const { shop, receiver, endpoint } = await aSubscriber();
      const answer = Promise.withResolvers<{ status: number }>();
      receiver.behave(({ path }) => (path === "/hook" ? answer.promise : { status: 200 }));
      await anEvent(shop);
      await until(async () => receiver.received.length === 1);
      await changeEndpoint(shop.ctx, endpoint.id, { url: `${receiver.url}/new` });
      answer.resolve({ status });
      await until(async () => (await deliveriesOf(endpoint))[0]?.attempt_count === 1);
      await wait(100);
      expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ status: "enabled", failingSince: null, pausedUntil: null });
      await makeRetriesDue(endpoint);
      await settled(endpoint, "delivered", 2);
      expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ status: "enabled", failingSince: null });
      expect(receiver.received.map(({ path }) => path)).toEqual(["/hook", "/new"]);
    }
  });

  test("that takes a delivery is not failing any more", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 500 }));
    await anEvent(shop);
    await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).failingSince !== null);
    receiver.behave(() => ({ status: 204 }));
    await makeRetriesDue(endpoint);
    await settled(endpoint, "delivered", 2);
    await until(async () => (await getEndpoint(shop.ctx, endpoint.id)).failingSince === null);
  });

  test("that was disabled gets what it missed and what failed, once each, in order, when it asks for it", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    await anEvent(shop);
    await settled(endpoint, "delivered", 1);
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
    await expect(resendFailedSince(shop.ctx, endpoint.id, since)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
    await Promise.all(times(3, () => resendFailedSince(shop.ctx, endpoint.id, since)));
    await until(async () => {
      // The failure of the second event holds the endpoint for a moment, and may come after the request.
      await dispatcher.sweep();
      return (await deliveriesOf(endpoint)).filter(({ sequence }) => sequence > 2).every(({ status }) => status === "delivered");
    });
    expect(sequencesOf(receiver.received).filter((sequence) => sequence > 2)).toEqual([3, 4]);
    expect(await deliveriesOf(endpoint)).toHaveLength(4);
  });

  test("that is disabled gives up what waits for a retry, and gets it when it is back and asks", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 500 }));
    await anEvent(shop);
    await settled(endpoint, "pending", 1);
    await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
    await settled(endpoint, "failed", 1);
    expect((await deliveriesOf(endpoint))[0]?.last_error).toMatch(/disabled/);
    receiver.behave(() => ({ status: 200 }));
    await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
    await resendFailedSince(shop.ctx, endpoint.id, new Date(Date.now() - 60_000));
    await settled(endpoint, "delivered", 2);
  });

  test("gets one delivery again on request, with the same id", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    await anEvent(shop);
    const [first] = await settled(endpoint, "delivered", 1);
    await resendDelivery(shop.ctx, first?.id ?? "");
    await settled(endpoint, "delivered", 2);
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([first?.event_id, first?.event_id]);
    expect((await getDeliveryDetail(shop.ctx, first?.id ?? "")).attempts.map(({ number }) => number)).toEqual([1, 2]);
  });

  test("gets a test event once, disabled or not, outside the feed and without a word on its health", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
    receiver.behave(() => ({ status: 500 }));
    const { id } = await sendTestEvent(shop.ctx, endpoint.id);
    await settled(endpoint, "failed", 1);
    const [one] = receiver.received;
    if (!one) throw new Error("nothing came");
    expect(new Webhook(endpoint.secret).verify(one.body, headersOf(one))).toMatchObject({ type: "webhook.test", sequence: 0 });
    expect((await getDeliveryDetail(shop.ctx, id)).requestBody).toBe(one.body);
    expect(await feedOf(shop)).toEqual([]);
    await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
    for (const status of [500, 410]) {
      receiver.behave(() => ({ status }));
      await sendTestEvent(shop.ctx, endpoint.id);
      await settled(endpoint, "failed", 1);
      await wait(100);
      expect(await getEndpoint(shop.ctx, endpoint.id)).toMatchObject({ status: "enabled", failingSince: null, pausedUntil: null });
    }
  });

  test("that is deleted is sent nothing that waited, and keeps no secret", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    receiver.behave(() => ({ status: 500 }));
    await anEvent(shop);
    await settled(endpoint, "pending", 1);
    await deleteEndpoint(shop.ctx, endpoint.id);
    await settled(endpoint, "failed", 1);
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
});

describe("nothing is lost", () => {
  test("when the channel breaks: the sweep finds what was not announced, and the channel is heard again", async () => {
    const { shop, receiver } = await aSubscriber();
    await sql()`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`;
    await anEvent(shop);
    await until(async () => {
      await dispatcher.sweep();
      return receiver.received.length === 1;
    });
    await until(async () => {
      await anEvent(shop);
      const before = receiver.received.length;
      await new Promise((done) => setTimeout(done, 100));
      return receiver.received.length > before;
    }, 20_000);
  });

  test("when an endpoint is disabled in the instant in which an event is written", async () => {
    const { receiver, endpoint } = await aSubscriber();
    await sql()`update webhook_endpoints set status = 'disabled', disabled_reason = 'merchant', disabled_at = now() where id = ${endpoint.id}`;
    await sql()`
      insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence)
      values (${endpoint.merchantId}, 'dlv_x', ${endpoint.id}, 'evt_x', 'checkout.success', 1)`;
    await settled(endpoint, "failed", 0);
    expect(receiver.received).toEqual([]);
  });

  test("a worker that stops lets what is under way end, and cuts nothing that it has begun", async () => {
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
    const kept = (await deliveriesOf(endpoint)).filter(({ attempt_count }) => attempt_count > 0);
    expect(kept).toHaveLength(receiver.received.length);
    expect(await sql()`select 1 from webhook_endpoints where id = ${endpoint.id} and leased_by is not null`).toHaveLength(0);
    dispatcher = new Dispatcher();
    dispatcher.start();
    await settled(endpoint, "delivered", 1);
    expect(receiver.received).toHaveLength(30);
  });

  test("while somebody holds the row of one endpoint, the leases of the others are prolonged", async () => {
    const [held, busy] = [await aSubscriber(), await aSubscriber()];
    const answer = Promise.withResolvers<{ status: number }>();
    busy.receiver.behave(() => answer.promise);
    await anEvent(held.shop);
    await settled(held.endpoint, "delivered", 1);
    await anEvent(busy.shop);
    await until(async () => busy.receiver.received.length === 1);
    const leaseEnd = async () => {
      const [row] = await sql()<
        { until: string }[]
      >`select leased_until::text as until from webhook_endpoints where id = ${busy.endpoint.id}`;
      return row?.until;
    };
    await sql().begin(async (tx) => {
      await tx`select 1 from webhook_endpoints where id = ${held.endpoint.id} for update`;
      const before = await leaseEnd();
      await until(async () => (await leaseEnd()) !== before, 8_000);
    });
    answer.resolve({ status: 200 });
    await settled(busy.endpoint, "delivered", 1);
  });

  test("of two that ask for things to be sent again, in bulk and one by one, none waits for the other for ever", async () => {
    const { shop, endpoint } = await aSubscriber();
    await Promise.all(times(30, (i) => anEvent(shop, { i })));
    const rows = await settled(endpoint, "delivered", 1);
    const since = new Date(Date.now() - 60_000);
    for (let round = 0; round < 15; round++) {
      const single = rows.slice(0, 3).map(({ id }) => resendDelivery(shop.ctx, id));
      await Promise.all([resendFailedSince(shop.ctx, endpoint.id, since), ...single]);
    }
    await settled(endpoint, "delivered", 1);
  });

  test("asked for again by one request, finished by its replay, is sent again once", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    await anEvent(shop);
    const [row] = await settled(endpoint, "delivered", 1);
    const ctx = { ...shop.ctx, resourceId: "req_once" };
    await resendDelivery(ctx, row?.id ?? "");
    await settled(endpoint, "delivered", 2);
    await resendDelivery({ ...ctx, resumed: true }, row?.id ?? "");
    expect((await deliveriesOf(endpoint))[0]?.status).toBe("delivered");
    expect(receiver.received).toHaveLength(2);
  });

  test("a worker that stops gives its endpoints back at once", async () => {
    const { shop, receiver, endpoint } = await aSubscriber();
    const second = new Dispatcher();
    await sql()`update webhook_endpoints set leased_by = 'another', leased_until = now() + interval '1 hour' where id = ${endpoint.id}`;
    await anEvent(shop);
    await dispatcher.sweep();
    expect(receiver.received).toEqual([]);
    await sql()`update webhook_endpoints set leased_by = null, leased_until = null where id = ${endpoint.id}`;
    await second.sweep();
    await settled(endpoint, "delivered", 1);
    const holder = () => sql()`select leased_by from webhook_endpoints where id = ${endpoint.id} and leased_by is not null`;
    expect(await holder()).toHaveLength(1);
    await second.stop();
    await dispatcher.stop();
    expect(await holder()).toHaveLength(0);
    dispatcher = new Dispatcher();
    dispatcher.start();
  });
});
