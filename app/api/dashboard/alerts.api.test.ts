import { beforeEach, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let owner: TestMember;
beforeEach(async () => {
  shop = await aMerchant();
  owner = await aMember(shop.merchant.businessId, "owner");
});

const page = (member: TestMember, merchantId = shop.merchant.id) => pageClient(app, member, merchantId);
const choose = (body: object, member = owner, merchantId?: string) =>
  page(member, merchantId)("PATCH", "/api/dashboard/alerts/mails", { body });
const limit = (body: object, member = owner, merchantId?: string) =>
  page(member, merchantId)("PATCH", "/api/dashboard/alerts/balance-limit", { body });

test("each role chooses among the topics that it may see in live mode, also in test mode and while the business is suspended", async () => {
  expect((await choose({ payments: "daily" })).body.data).toEqual({
    ...{ payments: "daily", returns: "each", wallet: "each", cards: "each", developers: "each" },
  });
  const support = await aMember(shop.merchant.businessId, "support");
  expect((await choose({}, support)).body.data).toEqual({ payments: "never", returns: "never", wallet: "never", cards: "never" });
  const refused = await choose({ developers: "each" }, support);
  expectError(refused, "VALIDATION_ERROR");
  expect(refused.body.error.param).toBe("developers");
  await sql()`update merchants set status = 'suspended' where business_id = ${shop.merchant.businessId}`;
  const viewer = await aMember(shop.merchant.businessId, "viewer");
  expect((await choose({ payments: "each" }, viewer, shop.liveMerchantId)).body.data.payments).toBe("each");
});

test("a choice applies to one member only: a colleague's is unchanged, and a stranger is refused", async () => {
  const colleague = await aMember(shop.merchant.businessId, "owner");
  await Promise.all(times(5, () => choose({ cards: "never" })));
  expect((await choose({}, colleague)).body.data.cards).toBe("each");
  const stranger = await aMember((await aMerchant()).merchant.businessId, "owner");
  expectError(await choose({ cards: "never" }, stranger), "RESOURCE_NOT_FOUND");
  const rows = await sql()`select from mail_choices where business_id = ${shop.merchant.businessId}`;
  expect(rows).toHaveLength(1);
});

test("a choice of an unknown topic or word is refused by name", async () => {
  for (const [body, param] of [
    [{ payments: "hourly" }, "payments"],
    [{ security: "never" }, "security"],
    [{ cards: null }, "cards"],
  ] as const) {
    const refused = await choose(body);
    expectError(refused, "VALIDATION_ERROR");
    expect(refused.body.error.errors).toMatchObject([{ param }]);
  }
});

test("owners and admins set the limit of the mode that the page is about, others are refused", async () => {
  const admin = await aMember(shop.merchant.businessId, "admin");
  expect((await limit({ amount: 50_000.5, from: null }, admin)).body.data).toEqual({ amount: 50_000.5 });
  expect((await limit({ amount: 70, from: null }, admin, shop.liveMerchantId)).body.data).toEqual({ amount: 70 });
  for (const role of ["developer", "support", "viewer"] as const) {
    expectError(await limit({ amount: 1, from: 50_000.5 }, await aMember(shop.merchant.businessId, role)), "PERMISSION_DENIED");
  }
  expectError(await limit({ amount: 1, from: null }), "VERSION_CONFLICT");
  expect((await limit({ amount: null, from: 50_000.5 })).body.data).toEqual({ amount: null });
  expect(await sql()`select from balance_limits where merchant_id = ${shop.merchant.id}`).toHaveLength(0);
});

test("a limit is at least one Naira, has at most two decimals, and five changes at once from the same limit are one", async () => {
  for (const amount of [0, -5, 0.001, 1_000_000_001, "5", undefined]) {
    const refused = await limit({ ...(amount !== undefined && { amount }), from: null });
    expectError(refused, "VALIDATION_ERROR");
    expect(refused.body.error.errors).toMatchObject([{ param: "amount" }]);
  }
  const answers = await Promise.all(times(5, (n) => limit({ amount: 100 + n, from: null })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
});
