import { beforeAll, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql, transaction } from "#db/client.ts";
import { raiseAlert } from "#services/alerts/index.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { suspendMerchant } from "#services/merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();
const app = withApp();

const PULSE = "/api/dashboard/pulse";
const SEEN = "/api/dashboard/alerts/seen";
let shop: TestMerchant;
let member: TestMember;
let page: ReturnType<typeof pageClient>;
beforeAll(async () => {
  shop = await aMerchant();
  member = await aMember(shop.merchant.businessId, "viewer");
  page = pageClient(app, member, shop.merchant.id);
});

const pulse = async () => (await page("GET", PULSE)).body.data;
const raise = (merchantId: string) =>
  transaction((tx) => raiseAlert(tx, merchantId, { type: "card.blocked", message: "A card was blocked.", resourceId: "card_1" }));
const seen = (upTo: unknown, changes = {}) => page("POST", SEEN, { body: { up_to: upTo }, changes });

test("a pulse names the last event and counts unseen alerts up to 99", async () => {
  expect(await pulse()).toEqual({ sequence: 0, alerts: { count: 0, latest_id: null } });
  await sql()`
    insert into event_counters values (${shop.merchant.id}, 7) on conflict (merchant_id) do update set last_sequence = excluded.last_sequence`;
  await raise(shop.merchant.id);
  const { sequence, alerts } = await pulse();
  expect({ sequence, alerts }).toEqual({ sequence: 7, alerts: { count: 1, latest_id: expect.stringMatching(/^alt_/) } });
  expect((await seen(alerts.latest_id)).body.data).toEqual({ up_to: alerts.latest_id });
  expect((await pulse()).alerts).toEqual({ count: 0, latest_id: alerts.latest_id });
  await Promise.all(times(99, () => raise(shop.merchant.id)));
  expect((await pulse()).alerts).toMatchObject({ count: 99 });
  expect((await pulse()).alerts).not.toHaveProperty("more");
  await raise(shop.merchant.id);
  expect((await pulse()).alerts).toMatchObject({ count: 99, more: true });
});

test("five reports at once and a repeated one mark the same alert as seen", async () => {
  await raise(shop.merchant.id);
  const { latest_id } = (await pulse()).alerts;
  const answers = await Promise.all(times(5, () => seen(latest_id)));
  for (const answer of answers) expect(answer.body.data).toEqual({ up_to: latest_id });
  const key = { "Idempotency-Key": "seen-once" };
  expect((await seen(latest_id, key)).status).toBe(200);
  const replayed = await seen(latest_id, key);
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body.data).toEqual({ up_to: latest_id });
  expectError(await seen("alt_other", key), "IDEMPOTENCY_KEY_REUSED");
  expect((await pulse()).alerts.count).toBe(0);
});

test("an alert that is unknown, of another merchant or of the other mode is not found, and a bad id is refused by field", async () => {
  const other = await aMerchant();
  for (const merchantId of [other.merchant.id, shop.liveMerchantId]) {
    await raise(merchantId);
    const [alert] = await sql()<{ id: string }[]>`select id from alerts where merchant_id = ${merchantId}`;
    expectError(await seen(alert?.id), "RESOURCE_NOT_FOUND");
  }
  expectError(await seen("alt_unknown"), "RESOURCE_NOT_FOUND");
  for (const upTo of [undefined, 7, "x".repeat(41)]) {
    const answer = await seen(upTo);
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("up_to");
  }
});

test("a poll of the pulse is not in the request log, and other calls are", async () => {
  await pulse();
  const { headers } = await seen("alt_unknown");
  const rows = await until(async () => {
    const stored = await sql()<{ id: string; path: string }[]>`select id, path from request_log where merchant_id = ${shop.merchant.id}`;
    // Rows are written in the order of the calls: once this one is there, a row of the poll would be too.
    return stored.some(({ id }) => id === headers.get("request-id")) && stored;
  });
  expect(rows.filter(({ path }) => path === PULSE)).toEqual([]);
});

test("a suspended merchant's members read the pulse and mark alerts as seen", async () => {
  const closed = await aMerchant();
  const owner = pageClient(app, await aMember(closed.merchant.businessId, "owner"), closed.merchant.id);
  await raise(closed.merchant.id);
  await suspendMerchant(anOperator, closed.merchant.id, "The bank asked for it.");
  const { latest_id } = (await owner("GET", PULSE)).body.data.alerts;
  expect((await owner("POST", SEEN, { body: { up_to: latest_id } })).status).toBe(200);
});
