import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { changeEndpoint } from "../endpoints/change-endpoint.ts";
import { anEndpoint, anEvent, deliveriesOf } from "../webhooks.fixture.ts";
import { countMissedBy } from "./count-missed.ts";
import { countResent, resendDeliveries } from "./resend-many.ts";
import { resendFailedSince } from "./resend-since.ts";

withDatabase();

async function withFailed(shop: TestMerchant, count: number) {
  const endpoint = await anEndpoint(shop, "https://shop.example/oja");
  for (let i = 0; i < count; i += 1) await anEvent(shop);
  await sql()`update webhook_deliveries set status = 'failed', tries = 9, next_attempt_at = null where endpoint_id = ${endpoint.id}`;
  const ids = (await deliveriesOf(endpoint)).map(({ id }) => id);
  return { endpoint, ids };
}

const request = ({ ctx }: TestMerchant) => ({ ...ctx, resourceId: newId("request") });

test("the chosen deliveries are sent again from the start of the retry table, and no other", async () => {
  const shop = await aMerchant();
  const { endpoint, ids } = await withFailed(shop, 3);
  const chosen = ids.slice(0, 2);
  const ctx = request(shop);
  await resendDeliveries(ctx, chosen);
  expect(await countResent(ctx, chosen)).toBe(2);
  expect((await deliveriesOf(endpoint)).map(({ status, tries }) => [status, tries])).toEqual([
    ["pending", 0],
    ["pending", 0],
    ["failed", 9],
  ]);
});

test("a request that is repeated five times at once sends each delivery again once", async () => {
  const shop = await aMerchant();
  const { ids } = await withFailed(shop, 4);
  const ctx = request(shop);
  await Promise.all(times(5, () => resendDeliveries(ctx, ids)));
  const rows = await sql()<{ resends: number }[]>`select resends from webhook_deliveries where id = any(${ids})`;
  expect(rows.map(({ resends }) => resends)).toEqual([1, 1, 1, 1]);
});

test("six requests at once that choose the same deliveries, in other orders, all send them again", async () => {
  const shop = await aMerchant();
  const { ids } = await withFailed(shop, 6);
  await Promise.all(times(6, (i) => resendDeliveries(request(shop), i % 2 === 0 ? ids : ids.toReversed())));
  const rows = await sql()<{ resends: number }[]>`select resends from webhook_deliveries where id = any(${ids})`;
  expect(rows.map(({ resends }) => resends)).toEqual([6, 6, 6, 6, 6, 6]);
});

test("deliveries of a disabled endpoint, of another business and unknown ones are left out", async () => {
  const [shop, other] = [await aMerchant(), await aMerchant()];
  const [working, disabled, foreign] = [await withFailed(shop, 1), await withFailed(shop, 1), await withFailed(other, 1)];
  await changeEndpoint(shop.ctx, disabled.endpoint.id, { status: "disabled" });
  const ids = [...working.ids, ...disabled.ids, ...foreign.ids, "dlv_unknown"];
  const ctx = request(shop);
  await resendDeliveries(ctx, ids);
  expect(await countResent(ctx, ids)).toBe(working.ids.length);
  expect(await deliveriesOf(foreign.endpoint)).toMatchObject([{ status: "failed" }]);
  expect(await deliveriesOf(disabled.endpoint)).toMatchObject([{ status: "failed" }]);
});

test("the count of missed events equals the number of events that a resend sends", async () => {
  const shop = await aMerchant();
  const { endpoint } = await withFailed(shop, 2);
  await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled", eventTypes: ["checkout.success"] });
  await anEvent(shop);
  await anEvent(shop, {}, "card.funded");
  const hourAgo = new Date(Date.now() - 3_600_000);
  const count = async () => (await countMissedBy(shop.ctx, endpoint.id, { since: hourAgo, after: 0 })).missed;
  expect(await count()).toBe(3);
  await changeEndpoint(shop.ctx, endpoint.id, { status: "enabled" });
  await resendFailedSince(shop.ctx, endpoint.id, { since: hourAgo, after: 0 });
  expect((await deliveriesOf(endpoint)).map(({ status }) => status)).toEqual(["pending", "pending", "pending"]);
  expect(await count()).toBe(0);
});

test("events from before an endpoint was made are not missed", async () => {
  const shop = await aMerchant();
  await anEvent(shop);
  // Both have milliseconds.
  await until(
    async () =>
      (await sql()`select 1 from events where merchant_id = ${shop.merchant.id} and created_at < now()::timestamptz(3)`).length > 0,
  );
  const { id } = await anEndpoint(shop, "https://shop.example/oja");
  expect(await countMissedBy(shop.ctx, id, { since: new Date(0), after: 0 })).toEqual({ missed: 0, isExact: true, through: 1 });
});
