import { beforeEach, describe, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aMemberWithPassword, PASSWORD } from "#services/users/users.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let owner: TestMember;
beforeEach(async () => {
  shop = await aMerchant();
  owner = await aMemberWithPassword(shop.merchant.businessId, "owner");
});

const TEAM = "/api/dashboard/members";
const as = (member: TestMember) => pageClient(app, member, shop.merchant.id);
const WITH_KEY = { "Idempotency-Key": "once" };
const actsOf = async (action: string) =>
  (await sql()`select from audit_entries where business_id = ${shop.merchant.businessId} and action = ${action}`).length;

/** As after a process that ended between its work and the record of its answer. */
const loseAnswers = () =>
  sql()`update idempotency_keys set state = 'unknown', status = null where merchant_id in (${shop.merchant.id}, ${shop.liveMerchantId})`;

describe("handing over again after a lost answer", () => {
  const handOver = (to: TestMember, changes = {}) =>
    as(owner)("POST", `${TEAM}/${to.userId}/hand-over`, { body: { password: PASSWORD }, changes });

  test("a repeated hand-over answers that it is done, with or without its Idempotency-Key, and hands over once", async () => {
    const next = await aMember(shop.merchant.businessId, "admin");
    const done = { id: next.userId, role: "owner" };
    expect((await handOver(next, WITH_KEY)).body.data).toEqual(done);
    const replayed = await handOver(next, WITH_KEY);
    expect([replayed.status, replayed.body.data, replayed.headers.get("idempotent-replayed")]).toEqual([200, done, "true"]);
    for (const changes of [{}, { "Idempotency-Key": "another" }]) expect((await handOver(next, changes)).body.data).toEqual(done);
    expect(await actsOf("member.made_owner")).toBe(1);
  });

  test("a repeated hand-over answers that it is done, even if the answer to its key was not stored", async () => {
    const next = await aMember(shop.merchant.businessId, "admin");
    await handOver(next, WITH_KEY);
    await loseAnswers();
    expect((await handOver(next, WITH_KEY)).body.data).toEqual({ id: next.userId, role: "owner" });
    expect(await actsOf("member.made_owner")).toBe(1);
  });

  test("a repeated hand-over is refused to another admin, and with a wrong password", async () => {
    const next = await aMember(shop.merchant.businessId, "admin");
    await handOver(next);
    const other = await aMemberWithPassword(shop.merchant.businessId, "admin");
    expectError(await as(other)("POST", `${TEAM}/${next.userId}/hand-over`, { body: { password: PASSWORD } }), "PERMISSION_DENIED");
    expectError(await as(owner)("POST", `${TEAM}/${next.userId}/hand-over`, { body: { password: "not this" } }), "VALIDATION_ERROR");
  });
});

describe("a request whose answer was lost", () => {
  const post = (path: string, body?: object, merchantId = shop.merchant.id) =>
    pageClient(app, owner, merchantId)("POST", `/api/dashboard/${path}`, { ...(body && { body }), changes: WITH_KEY });

  test("a repeated removal removes the member once, and gives the same answer again", async () => {
    const staff = await aMember(shop.merchant.businessId, "viewer");
    const remove = () => post(`members/${staff.userId}/remove`, { password: PASSWORD });
    const done = { id: staff.userId, removed: true };
    expect((await remove()).body.data).toEqual(done);
    const replayed = await remove();
    expect([replayed.body.data, replayed.headers.get("idempotent-replayed")]).toEqual([done, "true"]);
    await loseAnswers();
    expect((await remove()).body.data).toEqual(done);
    expect(await actsOf("member.removed")).toBe(1);
  });

  test("a repeated roll of a live key makes one key: a wrong password in between keeps the key, and the right one finds it", async () => {
    const key = await createApiKey(
      { ...byOperator(shop.ctx), merchant: { ...shop.merchant, id: shop.liveMerchantId, mode: "live" } },
      { name: "shop", permissions: ["checkout:read"] },
    );
    const roll = (password: string) => post(`api-keys/${key.id}/roll`, { overlap_hours: 0, password }, shop.liveMerchantId);
    const first = await roll(PASSWORD);
    expect(first.status).toBe(201);
    await loseAnswers();
    const mistyped = await roll("not this");
    expect(mistyped.body.error).toMatchObject({ code: "VALIDATION_ERROR", outcome: "unknown", errors: [{ param: "password" }] });
    const again = await roll(PASSWORD);
    expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id]);
  });

  test("a repeated change of a password changes it once, and succeeds although the old password is now wrong", async () => {
    const change = (changes: object) => post("password", { password: PASSWORD, new_password: "a quiet river of mangoes", ...changes });
    expect((await change({})).body.data).toEqual({ changed: true });
    await loseAnswers();
    const wrong = await change({ new_password: "another river of mangoes" });
    expect(wrong.body.error).toMatchObject({ code: "VALIDATION_ERROR", outcome: "unknown" });
    expect((await change({})).body.data).toEqual({ changed: true });
  });

  test("a replay of any other act of a team or a business gets the first answer", async () => {
    const invited = await post("invitations", { email: "new@shop.example", role: "viewer", password: PASSWORD });
    const { id } = invited.body.data;
    await sql()`update invitations set sent_at = sent_at - interval '2 minutes'`;
    const acts: [string, object?][] = [
      [`invitations/${id}/resend`, { password: PASSWORD }],
      [`invitations/${id}/withdraw`],
      ["team/two-factor", { required: false, password: PASSWORD }],
      ["embed-origins", { origins: ["https://shop.example"], from: [] }],
      ["first-steps", { put_away: true }],
    ];
    for (const [path, body] of acts) {
      const { status, body: answer } = await post(path, body);
      expect([path, status]).toEqual([path, 200]);
      const replayed = await post(path, body);
      expect([path, replayed.status, replayed.headers.get("idempotent-replayed"), replayed.body.data]).toEqual([
        path,
        200,
        "true",
        answer.data,
      ]);
    }
  });
});

describe("a retry that is refused, of a request whose first try executed nothing", () => {
  /** Stores the key of a request that ended before its work: as the key of an equal request that was answered, under another name. */
  const asUnknown = (of: string, changes: { key: string; resource_id: string; scope?: string }) => sql()`
    insert into idempotency_keys select (jsonb_populate_record(null::idempotency_keys,
      to_jsonb(k) || '{"state": "unknown", "status": null, "executed_at": null}' || ${JSON.stringify(changes)}::text::jsonb)).*
    from idempotency_keys k where merchant_id = ${shop.merchant.id} and key = ${of}`;

  test("a retry whose first try executed nothing is refused with outcome not_executed, and frees the key", async () => {
    const key = await createApiKey(byOperator(shop.ctx), { name: "shop", permissions: ["checkout:read"] });
    const act = (path: string, name: string, body?: object) =>
      as(owner)("POST", path, { ...(body && { body }), changes: { "Idempotency-Key": name } });
    const paths = { answers: "/api/dashboard/api-keys/key_nobody/revoke", finds: "/api/dashboard/api-keys/key_nobody/roll" };
    expect((await act(`/api/dashboard/api-keys/${key.id}/roll`, "rolled", { overlap_hours: 1 })).status).toBe(201);
    expect((await act(`/api/dashboard/api-keys/${key.id}/revoke`, "revoked")).status).toBe(200);
    await asUnknown("revoked", { key: "answers", resource_id: "key_nobody", scope: `POST ${paths.answers}` });
    await asUnknown("rolled", { key: "finds", resource_id: "key_new", scope: `POST ${paths.finds}` });
    for (const [name, path] of Object.entries(paths)) {
      const refused = await act(path, name, name === "finds" ? { overlap_hours: 1 } : undefined);
      expect([refused.status, refused.body.error]).toMatchObject([404, { code: "RESOURCE_NOT_FOUND", outcome: "not_executed" }]);
      expect(await sql()`select from idempotency_keys where key = ${name}`).toEqual([]);
    }
  });
});

describe("leaving again after a lost answer", () => {
  const leave = (member: TestMember, changes = {}) =>
    as(member)("POST", `${TEAM}/leave`, { body: { business_id: shop.merchant.businessId, password: PASSWORD }, changes });
  /** Waits until no process knows the membership any more: it is kept for a second. */
  const gone = (member: TestMember) => until(async () => (await as(member)("GET", "/api/v1/wallet")).status === 404);

  test("a repeated leave answers that it is done, with or without its Idempotency-Key, and is recorded once", async () => {
    const staff = await aMemberWithPassword(shop.merchant.businessId, "viewer");
    const done = { id: staff.userId, removed: true };
    expect((await leave(staff, WITH_KEY)).body.data).toEqual(done);
    expect((await leave(staff)).body.data).toEqual(done);
    await gone(staff);
    const replayed = await leave(staff, WITH_KEY);
    expect([replayed.status, replayed.body.data, replayed.headers.get("idempotent-replayed")]).toEqual([200, done, "true"]);
    expect((await leave(staff)).body.data).toEqual(done);
    expect(await actsOf("member.left")).toBe(1);
  });

  test("a leave is not found for a person who was removed, nor for a stranger", async () => {
    const staff = await aMemberWithPassword(shop.merchant.businessId, "viewer");
    await as(owner)("POST", `${TEAM}/${staff.userId}/remove`, { body: { password: PASSWORD } });
    await gone(staff);
    expectError(await leave(staff), "RESOURCE_NOT_FOUND");
    expectError(await leave(await aMemberWithPassword((await aMerchant()).merchant.businessId, "owner")), "RESOURCE_NOT_FOUND");
  });

  test("a repeated leave does not remove a person who has come back since", async () => {
    const staff = await aMemberWithPassword(shop.merchant.businessId, "viewer");
    await leave(staff, WITH_KEY);
    await sql()`insert into members (business_id, user_id, role) values (${shop.merchant.businessId}, ${staff.userId}, 'viewer')`;
    expect((await leave(staff, WITH_KEY)).headers.get("idempotent-replayed")).toBe("true");
    const [back] = await sql()`select role from members where user_id = ${staff.userId}`;
    expect(back).toEqual({ role: "viewer" });
  });
});
