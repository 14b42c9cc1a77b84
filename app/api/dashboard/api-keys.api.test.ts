import { beforeAll, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { hashPassword } from "#lib/passwords.ts";
import { getApiKey, presentApiKey } from "#services/api-keys/index.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { suspendMerchant } from "#services/merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let owner: TestMember;
beforeAll(async () => {
  shop = await aMerchant();
  owner = await aMember(shop.merchant.businessId, "owner");
});

const KEYS = "/api/dashboard/api-keys";
const asked = { name: "Shop server", permissions: ["wallet:read"] };
const page = (member = owner, merchantId = shop.merchant.id) => pageClient(app, member, merchantId);
const countKeys = async () => (await sql()`select 1 from api_keys where merchant_id = ${shop.merchant.id}`).length;
const withKey = (key: string) => ({ "Idempotency-Key": key });
const wallet = (keys: { public_key: string; secret_key: string }) =>
  apiClient(app, { publicKey: keys.public_key, secretKey: keys.secret_key }).get("/api/v1/wallet");

test("a key that is made here works with its permissions, says when and from where it was used, and is shown without its secret afterwards", async () => {
  const made = await page()("POST", KEYS, { body: asked });
  expect(made.status).toBe(201);
  const { id, secret_key: secret } = made.body.data;
  expect(made.body.data).toMatchObject({ ...asked, state: "active", made_by: { type: "member", id: owner.userId }, last_used_at: null });
  expect((await wallet(made.body.data)).status).toBe(200);
  const used = await until(async () => {
    const key = presentApiKey(await getApiKey(shop.ctx, id));
    return key.last_used_at !== null && key;
  });
  expect(used.last_used_address).toMatch(/^(127\.|::1)/);
  const { body: changed } = await page()("PATCH", `${KEYS}/${id}`, { body: { version: 1, name: "Till" } });
  expect(changed.data.name).toBe("Till");
  for (const shown of [used, changed]) expect(JSON.stringify(shown)).not.toContain(secret);
});

test("five requests at once with one Idempotency-Key make one key, its secret is shown once, and a replay does not have it", async () => {
  const before = await countKeys();
  const answers = await Promise.all(times(5, () => page()("POST", KEYS, { body: asked, changes: withKey("one-key") })));
  for (const { body } of answers.filter(({ status }) => status !== 201)) expect(body.error.code).toBe("REQUEST_IN_PROGRESS");
  const secrets = answers.flatMap(({ body }) => body.data?.secret_key ?? []);
  expect(secrets).toHaveLength(1);
  const replayed = await page()("POST", KEYS, { body: asked, changes: withKey("one-key") });
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body.data).toMatchObject({ ...asked, secret_key: null });
  expect(await countKeys()).toBe(before + 1);
});

test("a rolled key works beside its successor, a replay of the roll has no secret, and a second roll is refused", async () => {
  const { body: made } = await page()("POST", KEYS, { body: asked });
  const path = `${KEYS}/${made.data.id}/roll`;
  const rolled = await page()("POST", path, { body: { overlap_hours: 1 }, changes: withKey("roll") });
  expect(rolled.body.data).toMatchObject({ ...asked, old: { id: made.data.id, state: "rolled", replaced_by: rolled.body.data.id } });
  expect((await wallet(made.data)).status).toBe(200);
  expect((await wallet(rolled.body.data)).status).toBe(200);
  const replayed = await page()("POST", path, { body: { overlap_hours: 1 }, changes: withKey("roll") });
  expect(replayed.body.data).toMatchObject({ id: rolled.body.data.id, secret_key: null });
  expectError(await page()("POST", path, { body: {} }), "VALIDATION_ERROR");
});

test("a change based on an outdated version is refused with the name of the last editor, and bad fields are named", async () => {
  const { body: made } = await page()("POST", KEYS, { body: asked });
  const path = `${KEYS}/${made.data.id}`;
  expect((await page()("PATCH", path, { body: { version: 1, name: "Till" } })).body.data).toMatchObject({ name: "Till", version: 2 });
  const late = await page()("PATCH", path, { body: { version: 1, name: "Kiosk" } });
  expectError(late, "VERSION_CONFLICT");
  expect(late.body.error.message).toMatch(/^Bola Ade changed this on/);
  for (const [body, param] of [
    [{ name: "x" }, "version"],
    [{ version: 2, name: "  " }, "name"],
    [{ version: 2, permissions: [] }, "permissions"],
    [{ version: 2, permissions: ["root"] }, "permissions.0"],
    [{ version: 2, allowed_ips: ["nowhere"] }, "allowed_ips"],
  ] as const) {
    const refused = await page()("PATCH", path, { body });
    expectError(refused, "VALIDATION_ERROR");
    expect(refused.body.error.param).toBe(param);
  }
});

test("of five rolls of one key at once one makes a key and begins its overlap, and the others are told that it was rolled", async () => {
  const { body: made } = await page()("POST", KEYS, { body: asked });
  const other = await aMember(shop.merchant.businessId, "admin");
  const roll = (i: number) =>
    page(i % 2 === 0 ? owner : other)("POST", `${KEYS}/${made.data.id}/roll`, {
      body: { overlap_hours: i + 1 },
      changes: withKey(`roll-${i}`),
    });
  const answers = await Promise.all(times(5, roll));
  const [rolled, ...more] = answers.filter(({ status }) => status === 201);
  expect(more).toEqual([]);
  for (const refused of answers.filter(({ status }) => status !== 201)) {
    expectError(refused, "VALIDATION_ERROR");
    expect(refused.body.error.message).toContain("This key was rolled already");
  }
  const keys = await sql()<{ id: string; replaced_by: string | null; ends: boolean }[]>`
    select id, replaced_by, expires_at is not null as ends from api_keys
    where merchant_id = ${shop.merchant.id} and (id = ${made.data.id} or id = ${rolled?.body.data.id}) order by replaced_by nulls last`;
  expect(keys).toEqual([
    { id: made.data.id, replaced_by: rolled?.body.data.id, ends: true },
    { id: rolled?.body.data.id, replaced_by: null, ends: false },
  ]);
  const named = await sql()`select from audit_entries where subject = ${made.data.id} and action = 'api_key.rolled'`;
  expect(named).toHaveLength(1);
  for (const pair of [made.data, rolled?.body.data]) expect((await wallet(pair)).status).toBe(200);
});

test("a suspended merchant's key can be revoked, and none can be made, changed or rolled", async () => {
  const closed = await aMerchant();
  const member = await aMember(closed.merchant.businessId, "admin");
  await suspendMerchant(anOperator, closed.merchant.id, "The bank asked for it.");
  const ask = page(member, closed.merchant.id);
  const path = `${KEYS}/${closed.key.id}`;
  expectError(await ask("POST", KEYS, { body: asked }), "MERCHANT_SUSPENDED");
  expectError(await ask("PATCH", path, { body: { version: 1, name: "x" } }), "MERCHANT_SUSPENDED");
  expectError(await ask("POST", `${path}/roll`, { body: {} }), "MERCHANT_SUSPENDED");
  const revoked = await Promise.all(times(5, () => ask("POST", `${path}/revoke`)));
  for (const { status, body } of revoked) expect([status, body.data.state]).toEqual([200, "revoked"]);
  expect(await sql()`select from audit_entries where subject = ${closed.key.id} and action = 'api_key.revoked'`).toHaveLength(1);
});

test("in live mode a key is made, rolled and given more rights only with the password", async () => {
  const password = "seven lorries of ripe plantain";
  await sql()`update users set password_hash = ${await hashPassword(password)} where id = ${owner.userId}`;
  const ask = page(owner, shop.liveMerchantId);
  const reveal = { name: "x", permissions: ["cards:reveal", "cards:read"] };
  for (const proof of [{}, { password: "wrong password" }])
    expectError(await ask("POST", KEYS, { body: { ...reveal, ...proof } }), "VALIDATION_ERROR");
  const made = await ask("POST", KEYS, { body: { ...reveal, password } });
  expect(made.status).toBe(201);
  const path = `${KEYS}/${made.body.data.id}`;
  expectError(await ask("POST", `${path}/roll`, { body: {} }), "VALIDATION_ERROR");
  for (const change of [{ permissions: ["cards:read"] }, { allowed_ips: [] }])
    expectError(await ask("PATCH", path, { body: { version: 1, ...change } }), "VALIDATION_ERROR");
  expect((await ask("PATCH", path, { body: { version: 1, name: "Till" } })).status).toBe(200);
  expect((await ask("POST", `${path}/roll`, { body: { password } })).status).toBe(201);
  expect((await ask("POST", `${path}/revoke`)).status).toBe(200);
});

test("another business's key and one of the other mode are not found; in live mode a developer may have no keys", async () => {
  const other = await aMerchant();
  for (const id of [other.key.id, "key_none"]) {
    for (const [method, path, body] of [
      ["PATCH", `${KEYS}/${id}`, { version: 1, name: "x" }],
      ["POST", `${KEYS}/${id}/roll`, {}],
      ["POST", `${KEYS}/${id}/revoke`, undefined],
    ] as const) {
      expectError(await page()(method, path, { body }), "RESOURCE_NOT_FOUND");
    }
  }
  const fromLive = page(owner, shop.liveMerchantId);
  expectError(await fromLive("PATCH", `${KEYS}/${shop.key.id}`, { body: { version: 1, name: "x" } }), "RESOURCE_NOT_FOUND");
  const developer = await aMember(shop.merchant.businessId, "developer");
  expect((await page(developer)("POST", KEYS, { body: asked })).status).toBe(201);
  expectError(await page(developer, shop.liveMerchantId)("POST", KEYS, { body: asked }), "PERMISSION_DENIED");
});

test("a superseded try shows no secret of the key that it stored, because the other try may have replaced the secret", async () => {
  const locked = Promise.withResolvers<void>();
  const claimed = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const claim = () => sql()<{ id: string }[]>`select resource_id as id from idempotency_keys where key = 'paused'`;
  // The try stores its key after this lock, and its answer after the other one.
  const beforeStoring = sql().begin(async (tx) => {
    await tx`select 1 from merchants where id = ${shop.merchant.id} for update`;
    locked.resolve();
    await claimed.promise;
  });
  const beforeAnswering = sql().begin(async (tx) => {
    await until(async () => (await tx`select 1 from idempotency_keys where key = 'paused' for share`).length > 0);
    claimed.resolve();
    await stored.promise;
    await tx`update idempotency_keys set locked_until = locked_until + interval '1 minute' where key = 'paused'`;
  });
  await locked.promise;
  const answer = page()("POST", KEYS, { body: asked, changes: withKey("paused") });
  await until(async () => (await sql()`select 1 from api_keys where id = ${(await claim())[0]?.id ?? ""}`).length > 0);
  stored.resolve();
  await Promise.all([beforeStoring, beforeAnswering]);
  const { status, body } = await answer;
  expect([status, body.error.code, body.error.outcome]).toEqual([409, "REQUEST_IN_PROGRESS", "unknown"]);
});
