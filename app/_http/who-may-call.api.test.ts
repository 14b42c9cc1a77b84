import { globSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { dashboardEndpoints } from "#app/api/dashboard/endpoints.ts";
import { exportEndpoints } from "#app/api/dashboard/exports/endpoints.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { sql } from "#db/client.ts";
import { leaveBusiness, mayRole, ROLES } from "#services/members/index.ts";
import { aMember, asMember, type TestMember } from "#services/members/member.fixture.ts";
import { suspendMerchant } from "#services/merchants/index.ts";
import { aMerchant, anOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withProof } from "#services/proven.ts";
import { type ApiAnswer, apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { ROOT } from "../../server/runtime.ts";
import { TRUST_THIS_MACHINE } from "./api-key.fixture.ts";
import type { Endpoint } from "./openapi.ts";
import { pageClient } from "./page-client.fixture.ts";
import { pageHeaders } from "./page-headers.fixture.ts";

withDatabase();
const app = withApp(TRUST_THIS_MACHINE);

const ALL = [...endpoints, ...dashboardEndpoints];
const MODES = ["test", "live"] as const;

let shop: TestMerchant;
let other: TestMerchant;
let suspended: TestMerchant;

beforeAll(async () => {
  [shop, other, suspended] = [await aMerchant(), await aMerchant(), await aMerchant()];
  await enableLiveAreas(shop.liveMerchantId, "checkout", "cards", "vtu");
  await suspendMerchant(anOperator, suspended.merchant.id, "The bank asked for it.");
});

const merchantIn = (mode: (typeof MODES)[number]) => (mode === "test" ? shop.merchant.id : shop.liveMerchantId);
const filled = ({ path }: Endpoint) => path.replaceAll(/\{\w+\}/g, "unknown");
const isWrite = ({ method }: Endpoint) => method !== "get";

/** Calls every endpoint as a page does, without a body. Returns the answers by the endpoint's name. Waits out the session's rate limit. */
async function callAll(
  member: TestMember,
  merchantId: string,
  { changes, list = ALL }: { changes?: Record<string, string | undefined>; list?: Endpoint[] } = {},
): Promise<Map<Endpoint, ApiAnswer>> {
  const page = pageClient(app, member, merchantId);
  const answers = new Map<Endpoint, ApiAnswer>();
  for (const endpoint of list) {
    const call = () => page(endpoint.method.toUpperCase(), filled(endpoint), changes === undefined ? {} : { changes });
    answers.set(endpoint, await until(async () => notLimited(await call())));
  }
  return answers;
}

const notLimited = <Answer extends { status: number }>(answer: Answer) => answer.status !== 429 && answer;

function expectEach(answers: Map<Endpoint, ApiAnswer>, check: (answer: ApiAnswer, endpoint: Endpoint) => void): void {
  for (const [endpoint, answer] of answers) {
    try {
      check(answer, endpoint);
    } catch (error) {
      throw new Error(`${endpoint.method} ${endpoint.path}: ${error}`);
    }
  }
}

test("the lists of endpoints name every route file", () => {
  const files = globSync("app/api/{v1,dashboard}/**/route.ts", { cwd: ROOT }).map((file) =>
    `/${file.replace(/^app\//, "").replace(/\/route\.ts$/, "")}`.replaceAll("[", "{").replaceAll("]", "}"),
  );
  const listed = new Set([...ALL, ...exportEndpoints].map(({ path }) => path));
  expect(files.filter((path) => !listed.has(path) && path !== "/api/v1/openapi.json")).toEqual([]);
  expect(files.length).toBeGreaterThan(40);
});

describe.each(MODES)("in %s mode", (mode) => {
  test.each(ROLES)("a session of the role %s may call what its role may, and is told who may call the rest", async (role) => {
    const member = await aMember(shop.merchant.businessId, role);
    const answers = await callAll(member, merchantIn(mode));
    expectEach(answers, (answer, { route: { declaration } }) => {
      if (declaration.callers === "keys") return expectError(answer, "PERMISSION_DENIED");
      if (declaration.testModeOnly && mode === "live") return expectError(answer, "RESOURCE_NOT_FOUND");
      if (!mayRole(role, declaration.permission, mode)) {
        expectError(answer, "PERMISSION_DENIED");
        return expect(answer.body.error.message).toContain(`Your role is ${role}`);
      }
      expect([401, 403]).not.toContain(answer.status);
      expect(answer.headers.get("ratelimit-policy")).toBe('"session";q=60;w=3');
    });
  });
});

test("a member of another business finds no merchant here, on any endpoint", async () => {
  const stranger = await aMember(other.merchant.businessId, "owner");
  expectEach(await callAll(stranger, shop.merchant.id), (answer) => expectError(answer, "RESOURCE_NOT_FOUND"));
  expectEach(await callAll(stranger, "mer_unknown", { list: ALL.slice(0, 3) }), (answer) => expectError(answer, "RESOURCE_NOT_FOUND"));
});

test("without a session every endpoint refuses a page, and the refusals do not count against its address", async () => {
  const nobody = { ...(await aMember(shop.merchant.businessId, "owner")), token: "not.a.session" };
  for (const Cookie of [undefined, "oja-session=not.a.session", "oja-session="]) {
    const answers = await callAll(nobody, shop.merchant.id, { changes: { Cookie } });
    expectEach(answers, (answer) => expectError(answer, "MISSING_CREDENTIALS"));
  }
});

test("a page of another origin is refused on every endpoint, whatever it claims", async () => {
  const member = await aMember(shop.merchant.businessId, "owner");
  const crossSite = await callAll(member, shop.merchant.id, { changes: { "Sec-Fetch-Site": "cross-site" } });
  expectEach(crossSite, (answer) => expectError(answer, "PERMISSION_DENIED"));
  const foreign = await callAll(member, shop.merchant.id, { changes: { Origin: "https://evil.example" } });
  expectEach(foreign, (answer) => expectError(answer, "PERMISSION_DENIED"));
  // Old browsers do not send Sec-Fetch-Site. They send Origin with every write.
  const writes = await callAll(member, shop.merchant.id, {
    changes: { Origin: undefined, "Sec-Fetch-Site": undefined },
    list: ALL.filter(isWrite),
  });
  expectEach(writes, (answer) => expectError(answer, "PERMISSION_DENIED"));
});

test("without Oja-Merchant every endpoint says that it is missing", async () => {
  const member = await aMember(shop.merchant.businessId, "owner");
  const answers = await callAll(member, shop.merchant.id, { changes: { "Oja-Merchant": undefined } });
  expectEach(answers, (answer) => {
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("Oja-Merchant");
  });
});

test("a suspended merchant reads everything and changes nothing, with few exceptions, such as freezing cards and revoking keys", async () => {
  const member = await aMember(suspended.merchant.businessId, "owner");
  const answers = await callAll(member, suspended.merchant.id);
  const client = apiClient(app, suspended.key);
  const allowed: string[] = [];
  for (const [endpoint, answer] of answers) {
    if (!isWrite(endpoint)) {
      expect(answer.body.error?.code, endpoint.path).not.toBe("MERCHANT_SUSPENDED");
      continue;
    }
    const { callers } = endpoint.route.declaration;
    const codes = [...(callers === "keys" ? [] : [answer.body.error?.code])];
    if (callers !== "sessions") codes.push((await client.call(endpoint.method.toUpperCase(), filled(endpoint))).body.error?.code);
    expect(new Set(codes).size, endpoint.path).toBe(1);
    if (codes[0] !== "MERCHANT_SUSPENDED") allowed.push(`${endpoint.method} ${endpoint.path}`);
  }
  expect(allowed.toSorted()).toEqual([
    "delete /api/dashboard/sessions/{id}",
    "patch /api/dashboard/alerts/mails",
    "patch /api/dashboard/passkeys/{id}",
    "post /api/dashboard/alerts/seen",
    "post /api/dashboard/api-keys/{id}/revoke",
    "post /api/dashboard/bank-accounts/{id}/remove",
    "post /api/dashboard/bulk-orders/{id}/stop",
    "post /api/dashboard/invitations/{id}/withdraw",
    "post /api/dashboard/members/leave",
    "post /api/dashboard/members/{id}/remove",
    "post /api/dashboard/passkeys",
    "post /api/dashboard/passkeys/options",
    "post /api/dashboard/passkeys/proof",
    "post /api/dashboard/passkeys/{id}/remove",
    "post /api/dashboard/password",
    "post /api/dashboard/sessions/end-others",
    "post /api/dashboard/two-factor/mailed-code",
    "post /api/dashboard/two-factor/recovery-codes",
    "post /api/dashboard/two-factor/totp",
    "post /api/dashboard/two-factor/totp/confirm",
    "post /api/dashboard/two-factor/turn-off",
    "post /api/dashboard/virtual-cards/{id}/reveal",
    "post /api/v1/virtual-cards/{id}/freeze",
    "post /api/v1/vtu/cable/verify",
    "post /api/v1/vtu/electricity/verify",
  ]);
});

describe.each([
  {
    suspendedMode: "live",
    ofMerchant: ({ liveMerchantId }: TestMerchant) => liveMerchantId,
    otherOf: ({ merchant }: TestMerchant) => merchant.id,
  },
  {
    suspendedMode: "test",
    ofMerchant: ({ merchant }: TestMerchant) => merchant.id,
    otherOf: ({ liveMerchantId }: TestMerchant) => liveMerchantId,
  },
])("while the $suspendedMode mode alone is suspended", ({ ofMerchant, otherOf }) => {
  test("the other mode works, and changes nothing that both modes share: the business, its brand, its security and its team", async () => {
    const half = await aMerchant();
    await enableLiveAreas(half.liveMerchantId, "checkout", "cards", "vtu");
    await suspendMerchant(anOperator, ofMerchant(half), "The bank asked for it.");
    const member = await aMember(half.merchant.businessId, "owner");
    const refused: string[] = [];
    expectEach(await callAll(member, otherOf(half)), (answer, endpoint) => {
      const { permission, allowedWhileSuspended } = endpoint.route.declaration;
      const isShared = permission === "settings:write" || permission === "team:write";
      const isRefused = answer.body.error?.code === "MERCHANT_SUSPENDED";
      // An endpoint that is added later is held to this too.
      expect(isRefused).toBe(isWrite(endpoint) && isShared && !allowedWhileSuspended);
      if (isRefused) refused.push(`${endpoint.method} ${endpoint.path}`);
    });
    expect(refused.toSorted()).toEqual([
      "patch /api/dashboard/alerts/balance-limit",
      "patch /api/dashboard/brand",
      "patch /api/dashboard/business",
      "patch /api/dashboard/members/{id}",
      "post /api/dashboard/areas/{area}/request",
      "post /api/dashboard/brand/logo",
      "post /api/dashboard/embed-origins",
      "post /api/dashboard/first-steps",
      "post /api/dashboard/invitations",
      "post /api/dashboard/invitations/{id}/resend",
      "post /api/dashboard/members/{id}/hand-over",
      "post /api/dashboard/payout-rules",
      "post /api/dashboard/team/two-factor",
    ]);
  });
});

test("a member without the required second factor may call only endpoints about their own account", async () => {
  const strict = await aMerchant();
  await sql()`update businesses set two_factor_required_at = now() - interval '1 minute' where id = ${strict.merchant.businessId}`;
  const member = await aMember(strict.merchant.businessId, "owner");
  const open: string[] = [];
  expectEach(await callAll(member, strict.merchant.id), (answer, { method, path, route: { declaration } }) => {
    if (answer.status !== 403) return open.push(`${method} ${path}`);
    if (declaration.callers !== "keys") expect(JSON.stringify(answer.body)).toContain("asks its team for two-step sign-in");
  });
  for (const { path } of exportEndpoints) {
    const headers = pageHeaders(app, member.token, strict.merchant.id);
    const download = () => fetch(`${app.url}${path}?merchant=${strict.merchant.id}`, { headers });
    expect([path, (await until(async () => notLimited(await download()))).status]).toEqual([path, 403]);
  }
  expect(open.toSorted()).toEqual([
    "delete /api/dashboard/sessions/{id}",
    "patch /api/dashboard/passkeys/{id}",
    "post /api/dashboard/members/leave",
    "post /api/dashboard/passkeys",
    "post /api/dashboard/passkeys/options",
    "post /api/dashboard/passkeys/proof",
    "post /api/dashboard/passkeys/{id}/remove",
    "post /api/dashboard/password",
    "post /api/dashboard/sessions/end-others",
    "post /api/dashboard/two-factor/mailed-code",
    "post /api/dashboard/two-factor/recovery-codes",
    "post /api/dashboard/two-factor/totp",
    "post /api/dashboard/two-factor/totp/confirm",
    "post /api/dashboard/two-factor/turn-off",
  ]);
});

test("a person who has left finds no merchant on any endpoint, but may ask again to leave", async () => {
  const member = await aMember(shop.merchant.businessId, "viewer");
  await leaveBusiness(withProof(asMember(shop.ctx, member), "manage_team"));
  expectEach(await callAll(member, shop.merchant.id), (answer, { path }) =>
    expectError(answer, path === "/api/dashboard/members/leave" ? "VALIDATION_ERROR" : "RESOURCE_NOT_FOUND"),
  );
});

test("keys are refused where a session is due, also beside a session", async () => {
  const member = await aMember(shop.merchant.businessId, "owner");
  const keys = { "X-Api-Key": shop.key.publicKey, "X-Api-Secret": shop.key.secretKey };
  const client = apiClient(app, shop.key);
  for (const endpoint of dashboardEndpoints) {
    expectError(await client.call(endpoint.method.toUpperCase(), filled(endpoint)), "MISSING_CREDENTIALS");
    expectError(
      await pageClient(app, member, shop.merchant.id)(endpoint.method.toUpperCase(), filled(endpoint), { changes: keys }),
      "MISSING_CREDENTIALS",
    );
  }
});

test("a key without any permission is refused on every endpoint", async () => {
  const powerless = await aMerchant();
  await sql()`update api_keys set permissions = '{}' where public_key = ${powerless.key.publicKey}`;
  const client = apiClient(app, powerless.key);
  for (const endpoint of endpoints) {
    expectError(await client.call(endpoint.method.toUpperCase(), filled(endpoint)), "PERMISSION_DENIED");
  }
});
