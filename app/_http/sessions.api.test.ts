import { beforeAll, expect, expectTypeOf, test } from "vitest";
import { call, Refused } from "#app/_client/call.ts";
import type { POST as CreateLink } from "#app/api/v1/checkout/create/route.ts";
import type { GET as ListLinks } from "#app/api/v1/checkout/route.ts";
import type { GET as GetWallet } from "#app/api/v1/wallet/route.ts";
import { sql } from "#db/client.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { ageSession, aMember, asMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { listOwnSessions } from "#services/sessions/index.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { TRUST_THIS_MACHINE, WALLET } from "./api-key.fixture.ts";
import { pageClient } from "./page-client.fixture.ts";
import { pageHeaders } from "./page-headers.fixture.ts";
import { countRequest, SESSION_RATE } from "./rate-limit.ts";

withDatabase();
const app = withApp(TRUST_THIS_MACHINE);

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
});

const someone = (role: TestMember["role"] = "owner") => aMember(shop.merchant.businessId, role);
const page = (member: { token: string }, merchantId = shop.merchant.id) => pageClient(app, member, merchantId);
const sessionsOf = async (member: TestMember) => (await listOwnSessions(asMember(shop.ctx, member))).map(({ id }) => id);
const walletOf = (member: { token: string }) => page(member)("GET", WALLET);
/** Waits until a session is refused, and returns after how many milliseconds. */
async function refusedAfterMs(member: TestMember): Promise<number> {
  const startedAt = performance.now();
  await until(async () => (await walletOf(member)).status === 401);
  return performance.now() - startedAt;
}

test("a session reads the merchant that the page names, in either mode, and its calls are the member's in the request log", async () => {
  const member = await someone();
  expect((await walletOf(member)).body.data.currency).toBe("NGN");
  expect((await page(member, shop.liveMerchantId)("GET", WALLET)).status).toBe(200);
  const rows = () => sql()`select merchant_id from request_log where user_id = ${member.userId} and api_key_id is null`;
  await until(async () => (await rows()).length === 2);
  expect((await rows()).map(({ merchant_id }) => merchant_id).toSorted()).toEqual([shop.merchant.id, shop.liveMerchantId].toSorted());
});

test("a session that is ended is refused within a second, and no other session with it", async () => {
  const [member, neighbour] = [await someone(), await someone()];
  expect((await walletOf(member)).status).toBe(200);
  expect((await page(member)("DELETE", `/api/dashboard/sessions/${member.sessionId}`)).status).toBe(200);
  expect(await refusedAfterMs(member)).toBeLessThan(5_000);
  expect((await walletOf(neighbour)).status).toBe(200);
});

test("signing out everywhere else leaves the session that asked", async () => {
  const member = await someone();
  const { userId } = member;
  const elsewhere = await sql()<{ id: string }[]>`
    insert into sessions (id, user_id, expires_at) select 'ses_elsewhere_' || n, ${userId}, now() + interval '1 day' from generate_series(1, 3) n
    returning id`;
  expect(await sessionsOf(member)).toHaveLength(1 + elsewhere.length);
  const ended = await page(member)("POST", "/api/dashboard/sessions/end-others");
  expect(ended.body.data.ended).toBe(elsewhere.length);
  expect(await sessionsOf(member)).toEqual([member.sessionId]);
});

test("nobody ends or sees the session of another person, also not of the same business", async () => {
  const [member, colleague] = [await someone("owner"), await someone("viewer")];
  expectError(await page(member)("DELETE", `/api/dashboard/sessions/${colleague.sessionId}`), "RESOURCE_NOT_FOUND");
  expect(await sessionsOf(member)).toEqual([member.sessionId]);
  expect((await walletOf(colleague)).status).toBe(200);
});

test("a session ends after 12 hours without a request, and 14 days after signing in", async () => {
  const [idle, old, used] = [await someone(), await someone(), await someone()];
  await ageSession(idle, 12.1);
  await ageSession(old, 14 * 24 + 0.1);
  await sql()`update sessions set last_seen_at = now() where id = ${old.sessionId}`;
  await ageSession(used, 11.9);
  expectError(await walletOf(idle), "MISSING_CREDENTIALS");
  expectError(await walletOf(old), "MISSING_CREDENTIALS");
  expect((await walletOf(used)).status).toBe(200);
  const [row] = await sql()<{ idle_ms: number; left_ms: number }[]>`
    select extract(epoch from now() - last_seen_at)::float8 * 1000 as idle_ms, extract(epoch from expires_at - now())::float8 * 1000 as left_ms
    from sessions where id = ${used.sessionId}`;
  // The request counted as use, and did not prolong the session's whole life.
  expect(row?.idle_ms).toBeLessThan(HOUR_MS);
  expect(row?.left_ms).toBeLessThan(14 * DAY_MS - 11 * HOUR_MS);
});

test("another role and a removal are in force within a second", async () => {
  const member = await someone("owner");
  const create = () => page(member)("POST", "/api/v1/checkout/create", { body: { amount: 500 } });
  expect((await create()).status).toBe(201);
  await sql()`update members set role = 'viewer' where user_id = ${member.userId}`;
  await until(async () => (await create()).body.error?.code === "PERMISSION_DENIED", 5_000);
  await sql()`delete from members where user_id = ${member.userId}`;
  await until(async () => (await walletOf(member)).body.error?.code === "RESOURCE_NOT_FOUND", 5_000);
});

test("a session has a limit of its own, which takes nothing from the merchant's keys", async () => {
  const member = await someone();
  const answers = await Promise.all(times(50, () => walletOf(member)));
  for (const answer of answers) expect(answer.headers.get("ratelimit-policy")).toBe('"session";q=60;w=3');
  const byKey = await apiClient(app, shop.key).get(WALLET);
  expect(byKey.headers.get("ratelimit-policy")).toBe('"merchant";q=200;w=2');
  expect(Number(/r=(\d+)/.exec(byKey.headers.get("ratelimit") ?? "")?.[1])).toBeGreaterThan(195);
});

test("a session may send 60 requests at once and then 20 a second, whatever another session does", () => {
  const limit = (key: string) => ({ name: "session" as const, key, ...SESSION_RATE });
  const send = (key: string, count: number, nowMs: number) => {
    for (let i = 0; i < count; i++) countRequest(limit(key), nowMs);
  };
  send("ses_one", 60, 0);
  expect(() => send("ses_one", 1, 0)).toThrow("Too many requests");
  send("ses_one", 20, 1_000);
  expect(() => send("ses_one", 1, 1_000)).toThrow("Too many requests");
  send("ses_other", 60, 1_000);
});

test("an open page whose session has ended causes no refusals for others at its address, and theirs cause none for it", async () => {
  const from = { "X-Forwarded-For": "192.0.2.90" };
  const gone = { ...(await someone()), token: "ended" };
  const ended = await Promise.all(times(60, () => page(gone)("GET", WALLET, { changes: from })));
  for (const answer of ended) expectError(answer, "MISSING_CREDENTIALS");
  expectError(await apiClient(app, undefined).get(WALLET, { headers: from }), "MISSING_CREDENTIALS");
  await Promise.all(times(60, () => apiClient(app, undefined).get(WALLET, { headers: from })));
  expect((await page(await someone())("GET", WALLET, { changes: from })).status).toBe(200);
  expectError(await page(gone)("GET", WALLET, { changes: from }), "MISSING_CREDENTIALS");
});

test("a cookie that another server made, or that was changed, is no session", async () => {
  const { token, ...member } = await someone();
  for (const forged of [token.slice(0, -2), `${token}x`, token.replace(/^[^.]+/, "eyJhbGciOiJub25lIn0"), `${"a".repeat(3_000)}`]) {
    expectError(await walletOf({ ...member, token: forged }), "MISSING_CREDENTIALS");
  }
  expect((await walletOf({ token })).status).toBe(200);
});

test("refusals of a session count towards its limit, before anything is looked up", async () => {
  const viewer = await someone("viewer");
  for (const answer of [await page(viewer, "mer_unknown")("GET", WALLET), await page(viewer)("GET", "/api/v1/events")]) {
    expect([403, 404]).toContain(answer.status);
    expect(answer.headers.get("ratelimit-policy")).toBe('"session";q=60;w=3');
  }
});

test("no session cookie is in the log", async () => {
  const member = await someone();
  await walletOf(member);
  await walletOf({ token: `${member.token}x` });
  expect(await app.wholeLog()).toContain(WALLET);
  expect(app.log()).not.toContain(member.token.slice(0, 40));
});

test("the client of pages calls an endpoint with its types, gets its data, and learns why a request was refused", async () => {
  const member = await someone();
  const caller = { merchantId: shop.merchant.id, origin: app.url, headers: pageHeaders(app, member.token, shop.merchant.id) };
  const wallet = await call<typeof GetWallet>(caller, "GET", "/api/v1/wallet");
  expectTypeOf(wallet.data.currency).toEqualTypeOf<"NGN">();
  expect(wallet.data.currency).toBe("NGN");
  const body = { amount: 5_000, description: "Two bags of rice" };
  const link = await call<typeof CreateLink>(caller, "POST", "/api/v1/checkout/create", { body, idempotencyKey: "one-click" });
  expectTypeOf(link.reference).toEqualTypeOf<string>();
  const again = await call<typeof CreateLink>(caller, "POST", "/api/v1/checkout/create", { body, idempotencyKey: "one-click" });
  expect(again.reference).toBe(link.reference);
  const listed = await call<typeof ListLinks>(caller, "GET", "/api/v1/checkout", { query: { limit: "1" } });
  expect(listed.data.map(({ reference }) => reference)).toEqual([link.reference]);
  // @ts-expect-error a body that the endpoint does not take
  const refused = call<typeof CreateLink>(caller, "POST", "/api/v1/checkout/create", { body: { amount: "much" } });
  await expect(refused).rejects.toMatchObject({ name: "Refused", code: "VALIDATION_ERROR", outcome: "not_executed" });
  await expect(refused).rejects.toBeInstanceOf(Refused);
});
