import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import type { Role, TenantContext } from "../context.ts";
import { mayRole, ROLES } from "../members/index.ts";
import { aMember } from "../members/member.fixture.ts";
import { aMerchantWithAllRights as aMerchant } from "../merchants/merchant.fixture.ts";
import { ALL_PERMISSIONS } from "../permissions.ts";
import { withProof } from "../proven.ts";
import {
  authenticate,
  changeApiKey,
  createApiKey,
  getApiKey,
  type KeyPair,
  listApiKeys,
  namesOfApiKeys,
  resumePausedApiKey,
  revokeApiKey,
  rollApiKey,
  stateOf,
} from "./index.ts";

withDatabase();

const ADDRESS = "198.51.100.7";
const outcomeOf = ({ publicKey, secretKey }: KeyPair, address = ADDRESS) =>
  authenticate({ publicKey, secretKey, address }).then(
    ({ permissions }) => permissions,
    ({ code }) => code,
  );
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => {
      if (!(error instanceof Problem)) throw error;
      return error;
    },
  );
const refusalsOf = (calls: Promise<unknown>[]) => Promise.all(calls.map(refusalOf));
const entriesAbout = (id: string) => sql()<{ action: string; before: object | null; after: object }[]>`
  select action, before, after from audit_entries where subject = ${id} order by seq`;
const countOf = async (merchantId: string) => (await sql()`select from api_keys where merchant_id = ${merchantId}`).length;

test("a key has its maker, its limits and its end, and lists show the newest first without a secret", async () => {
  const { ctx } = await aMerchant();
  const expiresAt = new Date(Date.now() + HOUR_MS);
  const made = await createApiKey(ctx, { name: "Shop", permissions: ["wallet:read"], allowedIps: [ADDRESS], expiresAt });
  const { items } = await listApiKeys(ctx, { limit: 10 });
  expect(items.map(({ name }) => name)).toEqual(["Shop", "First key"]);
  expect(items[0]).toMatchObject({
    id: made.id,
    permissions: ["wallet:read"],
    allowedIps: [ADDRESS],
    expiresAt,
    madeBy: ctx.actor,
    version: 1,
  });
  expect(JSON.stringify(items)).not.toContain(made.secretKey);
  expect(Object.keys(items[0] ?? {}).filter((field) => /secret|hash/i.test(field))).toEqual([]);
});

test("a key whose end has passed is refused, and so is a new key with an end in the past", async () => {
  const { ctx } = await aMerchant();
  const made = await createApiKey(ctx, { name: "Short", expiresAt: new Date(Date.now() + HOUR_MS) });
  await sql()`update api_keys set expires_at = now() - interval '1 second' where id = ${made.id}`;
  expect(await outcomeOf(made)).toBe("KEY_REVOKED");
  expect(stateOf(await getApiKey(ctx, made.id))).toBe("ended");
  for (const refusal of await refusalsOf([rollApiKey(ctx, made.id, 1), changeApiKey(ctx, made.id, { version: 1, name: "x" })])) {
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", message: "This key has ended. Create another one." });
  }
  expect((await refusalOf(createApiKey(ctx, { name: "Old", expiresAt: new Date(Date.now() - 1) })))?.errors[0]?.param).toBe("expires_at");
});

test("a change of permissions and addresses is obeyed within a second, and the audit has what it was before", async () => {
  const { ctx } = await aMerchant();
  const key = await createApiKey(ctx, { name: "Shop", permissions: ["wallet:read", "vtu:read"] });
  expect(await outcomeOf(key)).toEqual(["wallet:read", "vtu:read"]);
  const changed = await changeApiKey(ctx, key.id, { version: 1, permissions: ["vtu:read"], allowedIps: ["203.0.113.0/24"] });
  expect(changed).toMatchObject({ version: 2, name: "Shop", permissions: ["vtu:read"], allowedIps: ["203.0.113.0/24"] });
  await until(async () => (await outcomeOf(key)) === "IP_NOT_ALLOWED", 3_000);
  expect(await outcomeOf(key, "203.0.113.9")).toEqual(["vtu:read"]);
  expect((await entriesAbout(key.id)).at(-1)).toEqual({
    action: "api_key.changed",
    before: { permissions: ["wallet:read", "vtu:read"], allowed_ips: [] },
    after: { permissions: ["vtu:read"], allowed_ips: ["203.0.113.0/24"] },
  });
});

test("a change that changes nothing leaves no audit entry, whatever its version and the order of its values", async () => {
  const { ctx } = await aMerchant();
  const key = await createApiKey(ctx, { name: "Shop", permissions: ["wallet:read", "vtu:read"] });
  expect(await changeApiKey(ctx, key.id, { version: 7, name: "Shop", permissions: ["vtu:read", "wallet:read"] })).toMatchObject({
    version: 1,
  });
  expect(await entriesAbout(key.id)).toHaveLength(1);
});

test("of five members who change a key at once one succeeds, and the others are told who changed which fields", async () => {
  const { ctx, merchant } = await aMerchant();
  const key = await createApiKey(ctx, { name: "Shop" });
  const { userId } = await aMember(merchant.businessId, "owner");
  const member = { ...ctx, role: "owner" as const, actor: { type: "member" as const, id: userId } };
  const results = await Promise.all(times(5, (i) => refusalOf(changeApiKey(member, key.id, { version: 1, name: `Name ${i}` }))));
  expect(results.filter((refusal) => refusal === undefined)).toHaveLength(1);
  for (const refusal of results.filter((each) => each !== undefined)) {
    expect(refusal).toMatchObject({ code: "VERSION_CONFLICT", outcome: "not_executed" });
    expect(refusal.message).toMatch(/^Bola Ade changed this on \d.* \(name\)\. Read it again before you change it\.$/);
  }
  expect(await entriesAbout(key.id)).toHaveLength(2);
});

describe("rolling", () => {
  test("a key with an end that its maker chose can be rolled: the new one has that end, and the old one ends no later", async () => {
    const { ctx } = await aMerchant();
    const expiresAt = new Date(Date.now() + 2 * HOUR_MS);
    const made = await createApiKey(ctx, { name: "Short", permissions: ["vtu:read"], allowedIps: [ADDRESS], expiresAt });
    const first = await rollApiKey(ctx, made.id, 1);
    expect(first.key).toMatchObject({ name: "Short", permissions: ["vtu:read"], allowedIps: [ADDRESS], expiresAt, replacedBy: null });
    expect(first.old.expiresAt?.getTime()).toBeLessThan(expiresAt.getTime());
    expect(first.old).toMatchObject({ replacedBy: first.key.id });
    expect(stateOf(first.old)).toBe("rolled");
    const second = await rollApiKey(ctx, first.key.id, 720);
    expect(second.old.expiresAt).toEqual(expiresAt);
    for (const key of [made, first.key, second.key]) expect(await outcomeOf(key)).toEqual(["vtu:read"]);
  });

  test("of five rolls of a key at once one makes a key", async () => {
    const { ctx, merchant } = await aMerchant();
    const key = await createApiKey(ctx, { name: "Shop" });
    const before = await countOf(merchant.id);
    const refusals = await Promise.all(times(5, () => refusalOf(rollApiKey(ctx, key.id, 1))));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(1);
    for (const refusal of refusals.filter((each) => each !== undefined)) expect(refusal.message).toContain("rolled already");
    expect(await countOf(merchant.id)).toBe(before + 1);
  });

  test("a change from before a roll is refused, because the new key has the rights that the change would remove", async () => {
    const { ctx } = await aMerchant();
    const key = await createApiKey(ctx, { name: "Shop" });
    await rollApiKey(ctx, key.id, 24);
    expect(await refusalOf(changeApiKey(ctx, key.id, { version: 1, permissions: ["vtu:read"] }))).toMatchObject({
      code: "VERSION_CONFLICT",
    });
  });

  test("a merchant with 200 working keys cannot roll another key", async () => {
    const { ctx, merchant, key } = await aMerchant();
    await sql()`insert into api_keys (merchant_id, id, public_key, name, secret_hash, permissions, made_by, replaced_by, expires_at)
      select ${merchant.id}, 'key_' || n, 'pk_test_' || ${merchant.id} || n, 'k', repeat('0', 64), '{}', 'system:test', 'key_x', now() + interval '1 hour'
      from generate_series(1, 198) n`;
    const { key: last } = await rollApiKey(ctx, key.id, 720);
    expect((await refusalOf(rollApiKey(ctx, last.id, 720)))?.message).toContain("200 keys");
  });

  test("a rolled key can be changed and revoked until it ends", async () => {
    const { ctx } = await aMerchant();
    const key = await createApiKey(ctx, { name: "Shop" });
    await rollApiKey(ctx, key.id, 24);
    expect(await changeApiKey(ctx, key.id, { version: 2, allowedIps: [ADDRESS] })).toMatchObject({ allowedIps: [ADDRESS] });
    await revokeApiKey(ctx, key.id);
    expect(await outcomeOf(key)).toBe("KEY_REVOKED");
  });
});

test("revoking twice leaves one entry and the first time, and a revoked key can be neither changed nor rolled", async () => {
  const { ctx } = await aMerchant();
  const key = await createApiKey(ctx, { name: "Shop" });
  const [one, two] = [await revokeApiKey(ctx, key.id), await revokeApiKey(ctx, key.id)];
  expect(two).toEqual(one);
  expect((await entriesAbout(key.id)).map(({ action }) => action)).toEqual(["api_key.created", "api_key.revoked"]);
  for (const refusal of await refusalsOf([rollApiKey(ctx, key.id, 1), changeApiKey(ctx, key.id, { version: 1, name: "x" })])) {
    expect(refusal).toMatchObject({ message: "This key was revoked. Create another one." });
  }
});

test("a key of another merchant and of the other mode is not found, for every verb", async () => {
  const [mine, theirs] = [await aMerchant(), await aMerchant()];
  const live = await createApiKey(mine.liveCtx, { name: "Live" });
  for (const id of [theirs.key.id, live.id, ""]) {
    const calls = [
      getApiKey(mine.ctx, id),
      changeApiKey(mine.ctx, id, { version: 1, name: "x" }),
      rollApiKey(mine.ctx, id, 1),
      revokeApiKey(mine.ctx, id),
    ];
    for (const refusal of await refusalsOf(calls)) expect(refusal).toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  }
  expect((await listApiKeys(mine.ctx, { limit: 10 })).items.map(({ id }) => id)).toEqual([mine.key.id]);
  expect([...(await namesOfApiKeys(mine.ctx, [mine.key.id, theirs.key.id, live.id])).keys()]).toEqual([mine.key.id]);
});

test("a merchant has 100 keys that work at most, also when five are asked for at once; rolled and revoked ones do not count", async () => {
  const { ctx, merchant, key } = await aMerchant();
  await rollApiKey(ctx, key.id, 24);
  await sql()`insert into api_keys (merchant_id, id, public_key, name, secret_hash, permissions, made_by)
    select ${merchant.id}, 'key_' || n, 'pk_test_' || ${merchant.id} || n, 'k', repeat('0', 64), '{}', 'system:test' from generate_series(1, 98) n`;
  const refusals = await Promise.all(times(5, () => refusalOf(createApiKey(ctx, { name: "More" }))));
  expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(1);
  await revokeApiKey(ctx, "key_1");
  expect(await refusalOf(createApiKey(ctx, { name: "Again" }))).toBeUndefined();
});

test("a member gives a key what its role may do in that mode and no more, whether it makes, changes or rolls it", async () => {
  const shop = await aMerchant();
  const userOf = new Map<Role, string>();
  for (const role of ROLES) userOf.set(role, (await aMember(shop.merchant.businessId, role)).userId);
  const member = (role: Role, mode: "test" | "live"): TenantContext => {
    // The role of the request was read before its body came, and does not count.
    const own = {
      ...shop.ctx,
      actor: { type: "member" as const, id: userOf.get(role) ?? "" },
      role: "owner" as const,
      sessionId: "ses_own",
    };
    const merchant = { id: mode === "test" ? shop.merchant.id : shop.liveMerchantId, mode };
    return { ...withProof({ ...own, merchant: shop.merchant }, "manage_keys", { hasSecondFactor: true }), merchant };
  };
  const some = fc.subarray([...ALL_PERMISSIONS], { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ROLES), fc.constantFrom("test", "live"), some, async (role, mode, permissions) => {
      const ctx = member(role, mode);
      const byOwner = member("owner", mode);
      const base = await createApiKey(byOwner, { name: "Base", permissions: ["wallet:read"] });
      const full = await createApiKey({ ...byOwner, actor: { type: "cli", id: "operator" } }, { name: "Full", permissions });
      // No role has test:write in live mode, where it opens nothing.
      const may =
        mayRole(role, "keys:write", mode) &&
        permissions.every((each) => mayRole(role, each, mode) || (mode === "live" && each === "test:write"));
      const changes = permissions.length > 1 || permissions[0] !== "wallet:read";
      const refusals = [
        await refusalOf(createApiKey(ctx, { name: "New", permissions })),
        changes ? await refusalOf(changeApiKey(ctx, base.id, { version: 1, permissions })) : undefined,
        await refusalOf(rollApiKey(ctx, full.id, 0)),
      ];
      const expected = may ? undefined : "PERMISSION_DENIED";
      expect(refusals.map((refusal) => refusal?.code)).toEqual([expected, changes ? expected : undefined, expected]);
      await sql()`update api_keys set revoked_at = now() where merchant_id = ${ctx.merchant.id} and revoked_at is null`;
    }),
    { numRuns: 60 },
  );
});

test("a live key that takes money out is made, changed, rolled and resumed with a second factor only", async () => {
  const shop = await aMerchant();
  const { userId, sessionId } = await aMember(shop.merchant.businessId, "owner");
  const live = { id: shop.liveMerchantId, mode: "live" as const };
  const own = { ...shop.ctx, actor: { type: "member" as const, id: userId }, role: "owner" as const, sessionId };
  const byPassword = { ...withProof(own, "manage_keys"), merchant: live };
  const byFactor = { ...withProof(own, "manage_keys", { hasSecondFactor: true }), merchant: live };
  const key = { name: "Payouts", permissions: ["payouts:write"] };
  const plain = await createApiKey(byPassword, { name: "Plain", permissions: ["wallet:read"] });
  const [paying, paused] = [await createApiKey(byFactor, key), await createApiKey(byFactor, key)];
  await sql()`update api_keys set paused_at = now() where id = ${paused.id}`;
  const each = (ctx: typeof byPassword) => [
    () => createApiKey(ctx, key),
    () => changeApiKey(ctx, plain.id, { version: 1, permissions: key.permissions }),
    () => changeApiKey(ctx, paying.id, { version: 1, allowedIps: [ADDRESS] }),
    () => resumePausedApiKey(ctx, paused.id),
    () => rollApiKey(ctx, paying.id, 0),
  ];
  for (const act of each(byPassword)) await expect(act()).rejects.toThrow("without one");
  for (const act of each(byFactor)) await act();
  // Test mode's keys move no real money.
  await createApiKey({ ...byPassword, merchant: shop.merchant }, key);
});

test("a member who was removed or demoted after the request began makes, changes and rolls no key", async () => {
  const { ctx, merchant, key } = await aMerchant();
  for (const change of ["delete from members", "update members set role = 'viewer'"]) {
    const { userId } = await aMember(merchant.businessId, "admin");
    const member: TenantContext = { ...ctx, actor: { type: "member", id: userId }, role: "admin" };
    await sql().unsafe(`${change} where user_id = '${userId}'`);
    const calls = [
      createApiKey(member, { name: "k" }),
      rollApiKey(member, key.id, 1),
      changeApiKey(member, key.id, { version: 1, name: "x" }),
    ];
    for (const refusal of await refusalsOf(calls)) expect(refusal).toMatchObject({ code: "PERMISSION_DENIED" });
  }
  expect(await countOf(merchant.id)).toBe(1);
});

test("a try that finishes an unanswered one gives the same key a new secret, and the secret that was never shown is refused", async () => {
  const { ctx, merchant } = await aMerchant();
  const first = await createApiKey({ ...ctx, resourceId: "key_same" }, { name: "Shop" });
  const again = await createApiKey({ ...ctx, resourceId: "key_same", resumed: true }, { name: "Shop" });
  expect(again).toMatchObject({ id: "key_same", publicKey: first.publicKey });
  expect(await outcomeOf(first)).toBe("INVALID_CREDENTIALS");
  expect(await outcomeOf(again)).toContain("wallet:read");
  const rolled = await rollApiKey({ ...ctx, resourceId: "key_next" }, again.id, 1);
  const resumed = await rollApiKey({ ...ctx, resourceId: "key_next", resumed: true }, again.id, 1);
  expect(resumed.key).toMatchObject({ id: "key_next", publicKey: rolled.key.publicKey });
  expect(resumed.old).toEqual(rolled.old);
  expect(await outcomeOf(rolled.key)).toBe("INVALID_CREDENTIALS");
  expect(await outcomeOf(resumed.key)).toContain("wallet:read");
  expect(await countOf(merchant.id)).toBe(3);
  expect((await entriesAbout("key_same")).map(({ action }) => action)).toEqual([
    "api_key.created",
    "api_key.secret_replaced",
    "api_key.rolled",
  ]);
  await revokeApiKey(ctx, "key_next");
  expect(await refusalOf(createApiKey({ ...ctx, resourceId: "key_next", resumed: true }, { name: "Shop" }))).toMatchObject({
    code: "VALIDATION_ERROR",
  });
});

test("an invalid address is refused by its place in the list, and the message does not repeat its text", async () => {
  const { ctx, key } = await aMerchant();
  for (const wrong of ["my-secret", "10.0.0.1/33", "::1/129", "10.0.0.1/x", "10.0.0", ""]) {
    const calls = [
      createApiKey(ctx, { name: "k", allowedIps: [ADDRESS, wrong] }),
      changeApiKey(ctx, key.id, { version: 1, allowedIps: [ADDRESS, wrong] }),
    ];
    for (const refusal of await refusalsOf(calls)) {
      expect(refusal).toMatchObject({
        code: "VALIDATION_ERROR",
        errors: [{ param: "allowed_ips", message: expect.stringContaining("Number 2") }],
      });
      if (wrong) expect(refusal?.message).not.toContain(wrong);
    }
  }
});
