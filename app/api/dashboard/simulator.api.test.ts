import { beforeAll, expect, test } from "vitest";
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

const PATH = "/api/dashboard/simulator/provider";
const ASYNC = { kind: "issuer", provider: "sandbox-async" };

let shop: TestMerchant;
let developer: TestMember;
beforeAll(async () => {
  shop = await aMerchant();
  developer = await aMember(shop.merchant.businessId, "developer");
});

const boundTo = (merchantId: string) => sql()<{ kind: string; provider: string }[]>`
  select kind, provider from merchant_providers where merchant_id = ${merchantId} order by kind`;

const liveOf = async (businessId: string): Promise<string> => {
  const [row] = await sql()<{ id: string }[]>`select id from merchants where business_id = ${businessId} and mode = 'live'`;
  return row?.id ?? "";
};

test("a developer chooses the sandbox's card issuer, five times at once too, and the audit names the person once", async () => {
  const post = pageClient(app, developer, shop.merchant.id);
  const answers = await Promise.all(times(5, () => post("POST", PATH, { body: ASYNC })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await boundTo(shop.merchant.id)).toContainEqual(ASYNC);
  const entries = await sql()`
    select before, after from audit_entries
    where subject = ${shop.merchant.id} and action = 'provider.bound' and actor_id = ${developer.userId}`;
  expect(entries).toEqual([{ before: { issuer: "sandbox" }, after: { issuer: ASYNC.provider } }]);
});

test("an unknown provider, one of live mode and an unknown kind are refused", async () => {
  const post = pageClient(app, developer, shop.merchant.id);
  const before = await boundTo(shop.merchant.id);
  for (const body of [
    { kind: "issuer", provider: "bridgecard" },
    { kind: "bank", provider: "" },
    { kind: "moon", provider: "sandbox" },
  ]) {
    expectError(await post("POST", PATH, { body }), "VALIDATION_ERROR");
  }
  expect(await boundTo(shop.merchant.id)).toEqual(before);
});

test("live mode has no simulator, and its providers stay as they are", async () => {
  const owner = await aMember(shop.merchant.businessId, "owner");
  const live = await liveOf(shop.merchant.businessId);
  expect((await pageClient(app, owner, live)("POST", PATH, { body: ASYNC })).status).not.toBe(200);
  expect(await boundTo(live)).toEqual([]);
});

test("a viewer, and a member of another business, choose nothing", async () => {
  const viewer = await aMember(shop.merchant.businessId, "viewer");
  expectError(await pageClient(app, viewer, shop.merchant.id)("POST", PATH, { body: ASYNC }), "PERMISSION_DENIED");
  const other = await aMerchant();
  expectError(await pageClient(app, developer, other.merchant.id)("POST", PATH, { body: ASYNC }), "RESOURCE_NOT_FOUND");
});
