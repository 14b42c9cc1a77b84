import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import type { Endpoint } from "../endpoint.ts";
import { anEndpoint, anEvent, deliveriesOf, deliverMany } from "../webhooks.fixture.ts";
import { countLeft } from "./count-left.ts";
import { countMissedBy } from "./count-missed.ts";
import { findResent, resendFailedSince } from "./resend-since.ts";

withDatabase();

const since = new Date(Date.now() - HOUR_MS);

async function withFailed(count: number) {
  const shop = await aMerchant();
  const endpoint = await anEndpoint(shop, "https://shop.example/oja");
  for (let i = 0; i < count; i += 1) await anEvent(shop);
  await fail(endpoint, 1, count);
  return { shop, endpoint };
}

/** Lets deliveries fail for good, from one sequence to another. */
const fail = ({ id }: Endpoint, from: number, to: number) => sql()`
  update webhook_deliveries set status = 'failed', tries = 9, attempt_count = attempt_count + 9, next_attempt_at = null, delivered_at = null
  where endpoint_id = ${id} and sequence between ${from} and ${to}`;

const resendsOf = async ({ id }: Endpoint): Promise<number[]> => {
  const rows = await sql()<{ resends: number }[]>`select resends from webhook_deliveries where endpoint_id = ${id} order by sequence`;
  return rows.map(({ resends }) => resends);
};

const missedBy = async ({ ctx }: TestMerchant, { id }: Endpoint, after = 0): Promise<number> =>
  (await countMissedBy(ctx, id, { since, after })).missed;

const request = ({ ctx }: TestMerchant) => ({ ...ctx, resourceId: newId("request") });

test("a resend in steps sends each delivery once and counts how many are left", async () => {
  const { shop, endpoint } = await withFailed(25);
  expect(await missedBy(shop, endpoint)).toBe(25);
  const steps: [sent: number, left: number][] = [];
  for (let [after, left] = [0, 1]; left > 0 && steps.length < 5; ) {
    const { sent, lastSequence } = await resendFailedSince(request(shop), endpoint.id, { since, after }, { max: 10 });
    after = lastSequence;
    left = await missedBy(shop, endpoint, after);
    steps.push([sent, left]);
  }
  expect(steps).toEqual([
    [10, 15],
    [10, 5],
    [5, 0],
  ]);
  expect(await resendsOf(endpoint)).toEqual(Array.from({ length: 25 }, () => 1));
});

test("a delivery that fails again while the steps run is not sent by a later step", async () => {
  const { shop, endpoint } = await withFailed(6);
  const { lastSequence: after } = await resendFailedSince(request(shop), endpoint.id, { since, after: 0 }, { max: 3 });
  await fail(endpoint, 1, 2);
  await resendFailedSince(request(shop), endpoint.id, { since, after }, { max: 10 });
  expect(await resendsOf(endpoint)).toEqual([1, 1, 1, 1, 1, 1]);
  expect((await deliveriesOf(endpoint)).map(({ status }) => status)).toEqual([
    "failed",
    "failed",
    "pending",
    "pending",
    "pending",
    "pending",
  ]);
});

test("deliveries that already wait to be sent again are skipped by other requests and do not use up their steps", async () => {
  const { shop, endpoint } = await withFailed(10);
  const sent: number[] = [];
  for (let step = 0; step < 4; step += 1)
    sent.push((await resendFailedSince(request(shop), endpoint.id, { since, after: 0 }, { max: 4 })).sent);
  expect(sent).toEqual([4, 4, 2, 0]);
  await Promise.all(times(5, () => resendFailedSince(request(shop), endpoint.id, { since, after: 0 })));
  expect(await resendsOf(endpoint)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(await missedBy(shop, endpoint)).toBe(0);
});

test("a replay that takes a request over does not send deliveries again that it has sent, even if they failed since", async () => {
  const { shop, endpoint } = await withFailed(3);
  const ctx = request(shop);
  const first = await resendFailedSince(ctx, endpoint.id, { since, after: 0 });
  expect(first).toEqual({ sent: 3, lastSequence: 3 });
  await fail(endpoint, 1, 3);
  expect(await resendFailedSince({ ...ctx, resumed: true }, endpoint.id, { since, after: 0 })).toEqual(first);
  expect(await resendsOf(endpoint)).toEqual([1, 1, 1]);
  expect(await findResent(ctx, endpoint.id, { since, after: 0 }, ctx.resourceId)).toEqual(first);
  expect((await resendFailedSince(request(shop), endpoint.id, { since, after: 0 })).sent).toBe(3);
});

test("a retry that waits for its time is sent again now, and an event without a delivery gets one", async () => {
  const { shop, endpoint } = await withFailed(1);
  await sql()`
    update webhook_deliveries set status = 'pending', tries = 2, next_attempt_at = now() + interval '5 hours' where endpoint_id = ${endpoint.id}`;
  await sql()`update webhook_endpoints set event_types = '{card.funded}' where id = ${endpoint.id}`;
  await anEvent(shop);
  await sql()`update webhook_endpoints set event_types = null where id = ${endpoint.id}`;
  expect(await resendFailedSince(request(shop), endpoint.id, { since, after: 0 })).toEqual({ sent: 2, lastSequence: 2 });
  const deliveries = await deliveriesOf(endpoint);
  expect(deliveries.map(({ status, tries }) => [status, tries])).toEqual([
    ["pending", 0],
    ["pending", 0],
  ]);
  for (const { due_in } of deliveries) expect(due_in).toBeLessThanOrEqual(0);
});

/** 100 events, of which the 95th is missed. A request looks at 20 of them, 7 at a time. */
async function withOneMissedFarBehind() {
  const shop = await aMerchant();
  const endpoint = await anEndpoint(shop, "https://shop.example/oja");
  await deliverMany(endpoint, 100);
  await fail(endpoint, 95, 95);
  return { shop, endpoint, reach: { window: 7, total: 20 } };
}

test("a count that ends before the last event says so, and says where the next count continues", async () => {
  const { shop, endpoint, reach } = await withOneMissedFarBehind();
  const count = (after: number) => countMissedBy(shop.ctx, endpoint.id, { since, after }, reach);
  expect(await count(0)).toEqual({ missed: 0, isExact: false, through: 20 });
  expect(await count(78)).toEqual({ missed: 1, isExact: false, through: 98 });
  expect(await count(80)).toEqual({ missed: 1, isExact: true, through: 100 });
});

test("successive requests reach a missed event that lies behind more events than one request reads", async () => {
  const { shop, endpoint, reach } = await withOneMissedFarBehind();
  const steps: [sent: number, lastSequence: number, left: number, isExact: boolean][] = [];
  for (let [after, left] = [0, 1]; left > 0 && steps.length < 9; ) {
    const resent = await resendFailedSince(request(shop), endpoint.id, { since, after }, { max: 10, reach });
    const rest = await countLeft(shop.ctx, endpoint.id, { since, after }, resent, reach);
    steps.push([resent.sent, rest.lastSequence, rest.left, rest.isExact]);
    [after, left] = [rest.lastSequence, rest.left];
  }
  expect(steps).toEqual([
    [0, 40, 1, false],
    [0, 80, 1, false],
    [1, 100, 0, true],
  ]);
});

test("the replay of a request that found nothing also says where to continue", async () => {
  const { shop, endpoint, reach } = await withOneMissedFarBehind();
  const [ctx, from] = [request(shop), { since, after: 0 }];
  const first = await countLeft(ctx, endpoint.id, from, await resendFailedSince(ctx, endpoint.id, from, { max: 10, reach }), reach);
  const replay = await countLeft(ctx, endpoint.id, from, await findResent(ctx, endpoint.id, from, ctx.resourceId, reach), reach);
  expect(first).toEqual({ lastSequence: 40, left: 1, isExact: false });
  expect(replay).toEqual({ lastSequence: 20, left: 1, isExact: false });
});
