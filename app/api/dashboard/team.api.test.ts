import { beforeEach, describe, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { suspendMerchant } from "#services/merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aMemberWithPassword, anEmail, PASSWORD, signInAs, tokenMailedTo } from "#services/users/users.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();
const app = withApp({}, { pages: true });

let shop: TestMerchant;
let owner: TestMember;
beforeEach(async () => {
  shop = await aMerchant();
  owner = await aMemberWithPassword(shop.merchant.businessId, "owner");
});

const TEAM = "/api/dashboard";
const as = (member: TestMember, merchantId = shop.merchant.id) => pageClient(app, member, merchantId);
const invite = (member: TestMember, body: object, changes = {}) =>
  as(member)("POST", `${TEAM}/invitations`, { body: { password: PASSWORD, ...body }, changes });
const leave = (member: TestMember, businessId = shop.merchant.businessId) =>
  as(member)("POST", `${TEAM}/members/leave`, { body: { business_id: businessId, password: PASSWORD } });
const roleOf = async ({ userId }: TestMember) =>
  (await sql()<{ role: string }[]>`select role from members where business_id = ${shop.merchant.businessId} and user_id = ${userId}`)[0]
    ?.role;
const countMails = async (email: string) =>
  (await sql()<{ count: number }[]>`select count(*)::int from mails where recipient = ${email} and kind = 'invitation'`)[0]?.count;
const givePasskey = ({ userId }: TestMember) => sql()`
  insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
  values (${`pky_${userId}`}, ${userId}, ${`credential of ${userId}`}, 'x', 0, '{}', 'Phone')`;

describe("an invitation", () => {
  test("an invitation needs the password, five requests with one Idempotency-Key send one mail, and a replay gives the same answer", async () => {
    const email = anEmail();
    expectError(await invite(owner, { email, role: "viewer", password: "not this" }), "VALIDATION_ERROR");
    expectError(await invite(owner, { email, role: "viewer", password: undefined }), "VALIDATION_ERROR");
    expect(await countMails(email)).toBe(0);
    const withKey = { "Idempotency-Key": "invite-once" };
    const answers = await Promise.all(times(5, () => invite(owner, { email, role: "viewer" }, withKey)));
    for (const { body } of answers.filter(({ status }) => status !== 201)) expect(body.error.code).toBe("REQUEST_IN_PROGRESS");
    const replayed = await invite(owner, { email, role: "viewer" }, withKey);
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect(replayed.body.data).toMatchObject({ email, role: "viewer", state: "open" });
    expect(JSON.stringify(replayed.body)).not.toContain(await tokenMailedTo(email, "invitation"));
    expect(await countMails(email)).toBe(1);
    expectError(await invite(owner, { email, role: "viewer" }), "VALIDATION_ERROR");
  });

  test("an invitation with an invalid field is refused with the name of the field", async () => {
    for (const [body, param] of [
      [{ email: "no address", role: "viewer" }, "email"],
      [{ email: "", role: "viewer" }, "email"],
      [{ email: anEmail(), role: "king" }, "role"],
      [{ email: anEmail() }, "role"],
    ] as const) {
      const answer = await invite(owner, body);
      expectError(answer, "VALIDATION_ERROR");
      expect(answer.body.error.param).toBe(param);
    }
  });

  test("a member cannot invite to a role above their own or withdraw such an invitation, and another business cannot find it", async () => {
    const admin = await aMemberWithPassword(shop.merchant.businessId, "admin");
    expectError(await invite(admin, { email: anEmail(), role: "owner" }), "PERMISSION_DENIED");
    const { body } = await invite(owner, { email: anEmail(), role: "owner" });
    expectError(await as(admin)("POST", `${TEAM}/invitations/${body.data.id}/withdraw`), "PERMISSION_DENIED");
    const other = await aMerchant();
    const stranger = await aMemberWithPassword(other.merchant.businessId, "owner");
    for (const verb of ["resend", "withdraw"]) {
      const proof = verb === "resend" ? { body: { password: PASSWORD } } : {};
      expectError(
        await as(stranger, other.merchant.id)("POST", `${TEAM}/invitations/${body.data.id}/${verb}`, proof),
        "RESOURCE_NOT_FOUND",
      );
    }
  });

  test("is sent again a minute later, withdrawn once, and withdrawn even while the business is suspended", async () => {
    const { body } = await invite(owner, { email: anEmail(), role: "viewer" });
    const path = `${TEAM}/invitations/${body.data.id}`;
    const resend = (password = PASSWORD) => as(owner)("POST", `${path}/resend`, { body: { password } });
    expectError(await resend(), "RATE_LIMITED");
    await sql()`update invitations set sent_at = sent_at - interval '2 minutes'`;
    expectError(await as(owner)("POST", `${path}/resend`), "VALIDATION_ERROR");
    expectError(await resend("not this"), "VALIDATION_ERROR");
    expect((await resend()).body.data.state).toBe("open");
    await suspendMerchant(anOperator, shop.merchant.id, "The bank asked for it.");
    await until(async () => (await resend()).body.error?.code === "MERCHANT_SUSPENDED");
    const withdrawn = await Promise.all(times(5, () => as(owner)("POST", `${path}/withdraw`)));
    for (const answer of withdrawn) expect(answer.body.data).toMatchObject({ state: "withdrawn" });
  });
});

describe("a member", () => {
  test("a member gets another role only with the password of the one who gives it, and an outdated page is told who changed it", async () => {
    const staff = await aMember(shop.merchant.businessId, "viewer");
    const path = `${TEAM}/members/${staff.userId}`;
    expectError(await as(owner)("PATCH", path, { body: { role: "support", from: "viewer" } }), "VALIDATION_ERROR");
    const changed = await as(owner)("PATCH", path, { body: { role: "support", from: "viewer", password: PASSWORD } });
    expect(changed.body.data).toEqual({ id: staff.userId, role: "support" });
    const late = await as(owner)("PATCH", path, { body: { role: "developer", from: "viewer", password: PASSWORD } });
    expectError(late, "VERSION_CONFLICT");
    expect(late.body.error.message).toContain("Bola Ade changed this");
    expect(await roleOf(staff)).toBe("support");
    expectError(
      await as(owner)("PATCH", `${TEAM}/members/usr_unknown`, { body: { role: "viewer", from: "viewer", password: PASSWORD } }),
      "RESOURCE_NOT_FOUND",
    );
  });

  test("is not changed, removed or made owner from another business", async () => {
    const staff = await aMember(shop.merchant.businessId, "viewer");
    const other = await aMerchant();
    const stranger = as(await aMemberWithPassword(other.merchant.businessId, "owner"), other.merchant.id);
    const path = `${TEAM}/members/${staff.userId}`;
    expectError(await stranger("PATCH", path, { body: { role: "admin", from: "viewer", password: PASSWORD } }), "RESOURCE_NOT_FOUND");
    expectError(await stranger("POST", `${path}/remove`, { body: { password: PASSWORD } }), "RESOURCE_NOT_FOUND");
    expectError(await stranger("POST", `${path}/hand-over`, { body: { password: PASSWORD } }), "RESOURCE_NOT_FOUND");
    expect(await roleOf(staff)).toBe("viewer");
  });

  test("a removed member is refused within a second, and a second removal is not found", async () => {
    const staff = await aMember(shop.merchant.businessId, "viewer");
    expect((await as(staff)("GET", "/api/v1/wallet")).status).toBe(200);
    const path = `${TEAM}/members/${staff.userId}/remove`;
    const remove = (password: string) => as(owner)("POST", path, { body: { password } });
    expectError(await as(owner)("POST", path), "VALIDATION_ERROR");
    expectError(await remove("not this"), "VALIDATION_ERROR");
    expect((await remove(PASSWORD)).body.data).toEqual({ id: staff.userId, removed: true });
    await until(async () => (await as(staff)("GET", "/api/v1/wallet")).status === 404);
    expectError(await remove(PASSWORD), "RESOURCE_NOT_FOUND");
  });

  test("a member can leave, but the last owner has to hand the business over first", async () => {
    await sql()`delete from members where business_id = ${shop.merchant.businessId} and user_id <> ${owner.userId}`;
    expectError(await leave(owner), "VALIDATION_ERROR");
    const next = await aMember(shop.merchant.businessId, "admin");
    const handed = await as(owner)("POST", `${TEAM}/members/${next.userId}/hand-over`, { body: { password: PASSWORD } });
    expect(handed.body.data).toEqual({ id: next.userId, role: "owner" });
    expect(await roleOf(owner)).toBe("admin");
    expectError(await leave(owner, "biz_other"), "VALIDATION_ERROR");
    expect((await leave(owner)).status).toBe(200);
    expect(await roleOf(owner)).toBeUndefined();
  });
});

describe("two-step sign-in for the whole team", () => {
  const require = (member: TestMember, required: boolean) =>
    as(member)("POST", `${TEAM}/team/two-factor`, { body: { required, password: PASSWORD } });

  test("a required two-step sign-in locks later sign-ins without it out of all but its set-up, and gives open sessions a day", async () => {
    await givePasskey(owner);
    const atWork = await aMember(shop.merchant.businessId, "admin");
    expect((await require(owner, true)).body.data.required_since).toEqual(expect.any(String));
    const later = await aMember(shop.merchant.businessId, "admin");
    for (const path of ["/api/v1/wallet", `${TEAM}/search?q=abc`, `${TEAM}/pulse`, "/api/v1/webhook-endpoints"]) {
      const refused = await as(later)("GET", path);
      expectError(refused, "PERMISSION_DENIED");
      expect(refused.body.error.message).toContain("asks its team for two-step sign-in");
    }
    expect((await as(later)("POST", `${TEAM}/sessions/end-others`)).status).toBe(200);
    expect((await as(atWork)("GET", "/api/v1/wallet")).status).toBe(200);
    expect((await as(owner)("GET", "/api/v1/wallet")).status).toBe(200);
    const page = await fetch(`${app.url}/test/links`, { headers: { cookie: `oja-session=${later.token}` }, redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([307, "/test/security"]);
    const security = await fetch(`${app.url}/test/security`, { headers: { cookie: `oja-session=${later.token}` }, redirect: "manual" });
    expect(await security.text()).toContain("Turn two-step sign-in on");
    await sql()`update businesses set two_factor_required_at = two_factor_required_at - interval '25 hours' where id = ${shop.merchant.businessId}`;
    await sql()`update sessions set created_at = created_at - interval '26 hours' where id = ${atWork.sessionId}`;
    await until(async () => (await as(atWork)("GET", "/api/v1/wallet")).status === 403);
    await givePasskey(later);
    await until(async () => (await as(later)("GET", "/api/v1/wallet")).status === 200);
  });

  test("only an owner with a second factor can require two-step sign-in, and only with the password", async () => {
    expectError(await require(owner, true), "VALIDATION_ERROR");
    await givePasskey(owner);
    const admin = await aMemberWithPassword(shop.merchant.businessId, "admin");
    await givePasskey(admin);
    expectError(await require(admin, true), "PERMISSION_DENIED");
    expectError(await as(owner)("POST", `${TEAM}/team/two-factor`, { body: { required: true } }), "VALIDATION_ERROR");
    expectError(await as(owner)("POST", `${TEAM}/team/two-factor`, { body: { required: "yes", password: PASSWORD } }), "VALIDATION_ERROR");
    expect((await require(owner, true)).status).toBe(200);
    expect((await require(owner, false)).body.data).toEqual({ required_since: null });
  });
});

describe("the way of an invited person", () => {
  const open = (path: string, cookie = "") => fetch(`${app.url}${path}`, { headers: { cookie }, redirect: "manual" });
  const send = (path: string, fields: Record<string, string>, cookie = "") =>
    fetch(`${app.url}${path}`, {
      ...{ method: "POST", redirect: "manual", body: new URLSearchParams(fields) },
      headers: { Origin: app.url, "Sec-Fetch-Site": "same-origin", cookie },
    });
  const cookieOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; ");

  test("a person without an account signs up from the mail, verifies the email and joins the business", async () => {
    const email = anEmail();
    await invite(owner, { email, role: "support" });
    const token = await tokenMailedTo(email, "invitation");
    const landing = await (await open(`/invitations?token=${token}`)).text();
    expect(landing).toContain(email);
    expect(landing).toContain(`/sign-up?invitation=${token}`);
    const form = await (await open(`/sign-up?invitation=${token}`)).text();
    expect(form).not.toContain('name="business"');
    const signedUp = await send("/sign-up/invited", { token, name: "Bisi Ojo", password: PASSWORD });
    expect([signedUp.status, signedUp.headers.get("location")]).toEqual([303, "/verify"]);
    const verified = await send("/verify/send", { token: await tokenMailedTo(email, "verify_email"), password: PASSWORD });
    const session = cookieOf(verified);
    expect((await open("/test", session)).headers.get("location")).toBe("/no-business");
    const listed = await (await open("/no-business", session)).text();
    const id = /name="id" value="(inv_\w+)"/.exec(listed)?.[1] ?? "";
    const joined = await send("/invitations/accept", { business: shop.merchant.businessId, id }, session);
    expect([joined.status, joined.headers.get("location")]).toEqual([303, `/b/${shop.merchant.businessId}/test`]);
    expect((await open(`/b/${shop.merchant.businessId}/test`, session)).status).toBe(200);
    // The link again, and a second click: no second membership, and no error page.
    expect((await open(`/invitations?token=${token}`, session)).status).toBe(200);
    expect((await send("/invitations/accept", { token }, session)).headers.get("location")).toBe(`/b/${shop.merchant.businessId}/test`);
  });

  test("an invited person with an account signs in and joins; another account is told that it is not invited, and joins nothing", async () => {
    const email = anEmail();
    await invite(owner, { email, role: "viewer" });
    const token = await tokenMailedTo(email, "invitation");
    const other = await aMemberWithPassword((await aMerchant()).merchant.businessId, "owner");
    const session = `oja-session=${other.token}`;
    const page = await (await open(`/invitations?token=${token}`, session)).text();
    expect(page).toContain("This invitation is for another address");
    const refused = await send("/invitations/accept", { token }, session);
    expect(refused.headers.get("location")).toBe(`/invitations?token=${token}`);
    expect(await roleOf(other)).toBeUndefined();
    await sql()`update users set email = ${email} where id = ${other.userId}`;
    const signedIn = await signInAs(email);
    expect(signedIn.status).toBe("signed_in");
    expect(await (await open(`/invitations?token=${token}`, session)).text()).toContain("Join");
    await send("/invitations/accept", { token }, session);
    expect(await roleOf(other)).toBe("viewer");
  });

  test("an invitation that is unknown or has ended says so, and one without a session leads to the sign-in page", async () => {
    expect(await (await open("/invitations?token=unknown")).text()).toContain("This invitation has ended");
    expect((await open("/invitations")).headers.get("location")).toContain("/sign-in");
    expect((await send("/invitations/accept", { token: "unknown" })).headers.get("location")).toBe(
      "/sign-in?then=%2Finvitations%3Ftoken%3Dunknown",
    );
    expect((await open("/sign-up?invitation=unknown")).headers.get("location")).toBe("/invitations?token=unknown");
    const signedUp = await send("/sign-up/invited", { token: "x".repeat(43), name: "Bisi", password: PASSWORD });
    expect(signedUp.headers.get("location")).toBe(`/invitations?token=${"x".repeat(43)}`);
  });

  test("a person opens a business of their own, two clicks open one, and both lead to it", async () => {
    const person = await aMemberWithPassword(shop.merchant.businessId, "viewer");
    const session = `oja-session=${person.token}`;
    expect((await open("/businesses/new")).headers.get("location")).toBe("/sign-in?then=%2Fbusinesses%2Fnew");
    expect(await (await open("/businesses/new", session)).text()).toContain("Open a business");
    const [one, two] = await Promise.all(times(2, () => send("/businesses/open", { business: "Second Shop" }, session)));
    expect(one?.headers.get("location")).toMatch(/^\/b\/biz_\w+\/test$/);
    expect(two?.headers.get("location")).toBe(one?.headers.get("location"));
    expect((await send("/businesses/open", { business: "  " }, session)).headers.get("location")).toBe("/businesses/new");
    expect((await send("/businesses/open", { business: "Shop" })).headers.get("location")).toBe("/sign-in?then=%2Fbusinesses%2Fnew");
  });
});
