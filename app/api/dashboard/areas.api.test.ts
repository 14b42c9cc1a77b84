import { beforeAll, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { aMember, asMember, type TestMember } from "#services/members/member.fixture.ts";
import { findAreaState, listAreaRequests, requestArea, suspendMerchant, switchArea } from "#services/merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let owner: TestMember;
/** A shop that has nothing but payment links. */
beforeAll(async () => {
  shop = await aMerchant({ name: "Bola's Fabrics", areas: ["checkout"] });
  owner = await aMember(shop.merchant.businessId, "owner");
});

const ask = (area: string, { member = owner, merchantId = shop.merchant.id, changes = {} } = {}) =>
  pageClient(app, member, merchantId)("POST", `/api/dashboard/areas/${area}/request`, { changes });
const open = async () => (await listAreaRequests(anOperator)).map(({ merchantId, area }) => `${merchantId} ${area}`);
const audit = (merchantId: string) => sql()<{ action: string; actor_id: string }[]>`
  select action, actor_id from audit_entries e join merchants m on m.business_id = e.business_id and m.mode = e.mode
  where m.id = ${merchantId} and action like 'area.%' order by seq`;

test("an owner asks for an area, operators see who asks since when, and switching it on closes the request", async () => {
  expect(await findAreaState(shop.ctx, "cards")).toEqual({ area: "cards", isOn: false, requestedAt: null });
  const answer = await ask("cards");
  expect(answer.status).toBe(200);
  const { requested_at } = answer.body.data;
  expect(answer.body.data).toEqual({ area: "cards", is_on: false, requested_at: expect.stringMatching(/Z$/) });
  expect((await listAreaRequests(anOperator)).filter(({ merchantId }) => merchantId === shop.merchant.id)).toEqual([
    {
      ...{ business: "Bola's Fabrics", merchantId: shop.merchant.id, mode: "test", area: "cards" },
      ...{ madeBy: { type: "member", id: owner.userId }, createdAt: new Date(requested_at) },
    },
  ]);
  expect((await ask("cards")).body.data).toEqual(answer.body.data);

  await switchArea(anOperator, shop.merchant.id, "cards", true);
  expect(await open()).not.toContain(`${shop.merchant.id} cards`);
  expect((await ask("cards")).body.data).toEqual({ area: "cards", is_on: true, requested_at: null });
  expect(await audit(shop.merchant.id)).toEqual([
    { action: "area.requested", actor_id: owner.userId },
    { action: "area.enabled", actor_id: "operator" },
  ]);

  await switchArea(anOperator, shop.merchant.id, "cards", false);
  const again = (await ask("cards")).body.data;
  expect(again.is_on).toBe(false);
  expect(new Date(again.requested_at).getTime()).toBeGreaterThanOrEqual(new Date(requested_at).getTime());
  expect(await open()).toContain(`${shop.merchant.id} cards`);
});

test("five requests at once, by two members, are one request with one audit entry", async () => {
  const fresh = await aMerchant({ areas: [] });
  const members = [await aMember(fresh.merchant.businessId, "owner"), await aMember(fresh.merchant.businessId, "admin")];
  const answers = await Promise.all(times(5, (i) => ask("vtu", { merchantId: fresh.merchant.id, member: members[i % 2] ?? owner })));
  for (const answer of answers) expect(answer.body.data).toEqual(answers[0]?.body.data);
  expect((await open()).filter((one) => one.startsWith(fresh.merchant.id))).toEqual([`${fresh.merchant.id} vtu`]);
  expect(await audit(fresh.merchant.id)).toHaveLength(1);
});

test("if an area is requested and switched on at the same time, no request for it stays open", async () => {
  for (let round = 0; round < 10; round++) {
    const { ctx, merchant } = await aMerchant({ areas: [] });
    await Promise.all([...times(3, () => requestArea(asMember(ctx, owner), "cards")), switchArea(anOperator, merchant.id, "cards", true)]);
    expect(await findAreaState(ctx, "cards")).toEqual({ area: "cards", isOn: true, requestedAt: null });
  }
});

test("a replay stores no second request, and answers with the present state of the area", async () => {
  const fresh = await aMerchant({ areas: [] });
  const member = await aMember(fresh.merchant.businessId, "owner");
  const send = () => ask("cards", { member, merchantId: fresh.merchant.id, changes: { "Idempotency-Key": "cards-please" } });
  expect((await send()).body.data.requested_at).not.toBeNull();
  await switchArea(anOperator, fresh.merchant.id, "cards", true);
  const replayed = await send();
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body.data).toEqual({ area: "cards", is_on: true, requested_at: null });
  expect(await sql()`select from area_requests where merchant_id = ${fresh.merchant.id}`).toHaveLength(1);
});

test("an unknown area, a role that may not ask, another business and a suspended merchant are refused", async () => {
  expectError(await ask("banking"), "RESOURCE_NOT_FOUND");
  for (const role of ["developer", "support", "viewer"] as const) {
    const member = await aMember(shop.merchant.businessId, role);
    expectError(await ask("vtu", { member }), "PERMISSION_DENIED");
  }
  const other = await aMerchant({ areas: [] });
  expectError(await ask("vtu", { merchantId: other.merchant.id }), "RESOURCE_NOT_FOUND");
  await suspendMerchant(anOperator, other.merchant.id, "The bank asked for it.");
  const member = await aMember(other.merchant.businessId, "owner");
  expectError(await ask("vtu", { member, merchantId: other.merchant.id }), "MERCHANT_SUSPENDED");
  expect((await open()).filter((one) => one.endsWith("vtu") && !one.startsWith("mer_platform"))).not.toContain(`${shop.merchant.id} vtu`);
});

test("what is asked for in one mode is not asked for in the other", async () => {
  expect((await ask("vtu", { merchantId: shop.liveMerchantId })).body.data.requested_at).not.toBeNull();
  expect(await findAreaState(shop.ctx, "vtu")).toMatchObject({ requestedAt: null });
  expect(await open()).toContain(`${shop.liveMerchantId} vtu`);
});
