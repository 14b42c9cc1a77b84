import { beforeAll, expect, test } from "vitest";
import { firstFactorProof, pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { qrPath } from "#lib/qr-path.ts";
import { asMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { codeOf, nextStep, wrongCodeFor } from "#services/users/factors/two-factor.fixture.ts";
import { getTwoFactor, presentTwoFactor } from "#services/users/index.ts";
import { aMemberWithPassword, lengthenWaits, PASSWORD } from "#services/users/users.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";

withDatabase();
const app = withApp();

const PATH = "/api/dashboard/two-factor";
let shop: TestMerchant;
let other: TestMerchant;
beforeAll(async () => {
  [shop, other] = [await aMerchant(), await aMerchant()];
});

const aMemberHere = (options?: { verified?: boolean }) => aMemberWithPassword(shop.merchant.businessId, "viewer", options);
const page = (member: TestMember, merchantId = shop.merchant.id) => pageClient(app, member, merchantId);
const post = (member: TestMember, path: string, body: unknown, changes = {}) => page(member)("POST", `${PATH}${path}`, { body, changes });
const read = async (member: TestMember) => presentTwoFactor(await getTwoFactor(asMember(shop.ctx, member)));

const firstProof = (member: TestMember) => firstFactorProof(app, member, shop.merchant.id);

/** Turns codes on for a member. Returns the secret and the recovery codes. */
async function turnOn(member: TestMember): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await post(member, "/totp", await firstProof(member))).body.data;
  const { recovery_codes: codes } = (await post(member, "/totp/confirm", { code: codeOf(secret) })).body.data;
  await nextStep(member.userId);
  return { secret, codes };
}

test("a member of any role sets an app up, makes new recovery codes and turns it off", async () => {
  const member = await aMemberHere();
  expect(await read(member)).toEqual({ is_totp_on: false, recovery_codes_left: 0, passkeys: [] });
  const begun = await post(member, "/totp", await firstProof(member));
  expect(begun.headers.get("cache-control")).toBe("no-store");
  const { secret, uri, qr } = begun.body.data;
  expect(uri).toContain(`secret=${secret}`);
  expect(qr).toEqual(qrPath(uri));
  const on = await post(member, "/totp/confirm", { code: codeOf(secret) });
  expect(on.status).toBe(200);
  expect(on.body.data.recovery_codes).toHaveLength(10);
  expect(await read(member)).toEqual({ is_totp_on: true, recovery_codes_left: 10, passkeys: [] });
  await nextStep(member.userId);
  const renewed = await post(member, "/recovery-codes", { password: PASSWORD, code: codeOf(secret) });
  expect(renewed.body.data.recovery_codes).not.toEqual(on.body.data.recovery_codes);
  const off = await post(member, "/turn-off", { password: PASSWORD, code: renewed.body.data.recovery_codes[0] });
  expect(off.status).toBe(200);
  expect(off.body.data).toEqual({ is_totp_on: false, recovery_codes_left: 0, passkeys: [] });
});

test("a wrong password, a wrong code and a missing field are named", async () => {
  const member = await aMemberHere();
  const { secret } = await turnOn(member);
  for (const [path, body, param] of [
    ["/totp", { password: "not the password at all" }, "password"],
    ["/totp", {}, "password"],
    ["/totp", { password: PASSWORD }, "code"],
    ["/mailed-code", {}, "password"],
    ["/mailed-code", { password: "not the password at all" }, "password"],
    ["/totp/confirm", { code: wrongCodeFor(secret) }, "code"],
    ["/totp/confirm", { code: "" }, "code"],
    ["/turn-off", { password: "not the password at all", code: "123456" }, "password"],
    ["/turn-off", { password: PASSWORD, code: wrongCodeFor(secret) }, "code"],
    ["/recovery-codes", { password: PASSWORD, code: "x".repeat(101) }, "code"],
    ["/recovery-codes", { password: PASSWORD, code: wrongCodeFor(secret) }, "code"],
    ["/recovery-codes", { password: PASSWORD, code: "123456", extra: 1 }, "extra"],
  ] as const) {
    const answer = await post(member, path, body);
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param, `${path} ${JSON.stringify(body)}`).toBe(param);
  }
  expectError(await post(member, "/mailed-code", { password: PASSWORD }), "VALIDATION_ERROR");
  expect(await read(member)).toMatchObject({ is_totp_on: true, recovery_codes_left: 10 });
});

test("five requests at once with one Idempotency-Key mail one code, a replay mails none, and an unverified email gets none", async () => {
  const member = await aMemberHere();
  const ask = () => post(member, "/mailed-code", { password: PASSWORD }, { "Idempotency-Key": `mail-${member.userId}` });
  const answers = await Promise.all(times(5, ask));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
  const replayed = await ask();
  expect([replayed.body.data, replayed.headers.get("idempotent-replayed")]).toEqual([{ mailed: true }, "true"]);
  const [{ mails } = {}] = await sql()`
    select count(*)::int as mails from mails join users u on u.email = recipient where u.id = ${member.userId} and kind = 'first_factor_code'`;
  expect(mails).toBe(1);
  const again = await post(member, "/mailed-code", { password: PASSWORD });
  expectError(again, "RATE_LIMITED");
  expect(again.headers.get("retry-after")).toBe("60");
  expectError(await post(await aMemberHere({ verified: false }), "/mailed-code", { password: PASSWORD }), "PERMISSION_DENIED");
});

test("before the email is verified no app is set up", async () => {
  const member = await aMemberHere({ verified: false });
  expectError(await post(member, "/totp", { password: PASSWORD }), "PERMISSION_DENIED");
});

test("after too many wrong codes a member has to wait, and is told how long", async () => {
  const member = await aMemberHere();
  const { secret } = await turnOn(member);
  const body = { password: PASSWORD, code: wrongCodeFor(secret) };
  const guesses = await Promise.all(times(30, () => post(member, "/turn-off", body)));
  const refused = guesses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(10);
  for (const answer of refused) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  await lengthenWaits();
  expectError(await post(member, "/recovery-codes", { password: PASSWORD, code: codeOf(secret) }), "RATE_LIMITED");
});

test("of five requests at once one turns codes on, and of five with one code one makes new recovery codes", async () => {
  const member = await aMemberHere();
  const { secret } = (await post(member, "/totp", await firstProof(member))).body.data;
  const confirmed = await Promise.all(times(5, () => post(member, "/totp/confirm", { code: codeOf(secret) })));
  expect(confirmed.filter(({ status }) => status === 200)).toHaveLength(1);
  await nextStep(member.userId);
  const proof = { password: PASSWORD, code: codeOf(secret) };
  const renewed = await Promise.all(times(5, () => post(member, "/recovery-codes", proof)));
  expect(renewed.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await read(member)).toMatchObject({ is_totp_on: true, recovery_codes_left: 10 });
});

test("a replay never shows recovery codes again and changes nothing, and a replayed set-up makes another secret", async () => {
  const member = await aMemberHere();
  const key = (name: string) => ({ "Idempotency-Key": `${name}-${member.userId}` });
  const [first, second] = [
    await post(member, "/totp", await firstProof(member), key("begin")),
    await post(member, "/totp", await firstProof(member), key("begin")),
  ];
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.body.data.secret).not.toBe(first.body.data.secret);
  const code = codeOf(second.body.data.secret);
  const confirm = () => post(member, "/totp/confirm", { code }, key("confirm"));
  expect((await confirm()).body.data.recovery_codes).toHaveLength(10);
  const replayed = await confirm();
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body.data).toEqual({ recovery_codes: null });
  await nextStep(member.userId);
  const renew = () => post(member, "/recovery-codes", { password: PASSWORD, code }, key("renew"));
  const [once] = [await renew()];
  expect((await renew()).body.data).toEqual({ recovery_codes: null });
  const off = () => post(member, "/turn-off", { password: PASSWORD, code: once.body.data.recovery_codes[0] }, key("off"));
  const [turnedOff, again] = [await off(), await off()];
  expect(turnedOff.body.data).toMatchObject({ is_totp_on: false });
  expect(again.body.data).toEqual(turnedOff.body.data);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("a page of another business, or without a session, changes no second factor", async () => {
  const member = await aMemberHere();
  const elsewhere = page(member, other.merchant.id);
  expectError(await elsewhere("POST", `${PATH}/totp`, { body: { password: PASSWORD } }), "RESOURCE_NOT_FOUND");
  expectError(await post({ ...member, token: "" }, "/totp", { password: PASSWORD }), "MISSING_CREDENTIALS");
  expect(await sql()`select 1 from totp_secrets where user_id = ${member.userId}`).toHaveLength(0);
});

test("the log tells who changed a second factor and where, and has no email, secret or code", async () => {
  const member = await aMemberHere();
  const { secret, codes } = await turnOn(member);
  const [row] = await sql()<{ email: string }[]>`select email from users where id = ${member.userId}`;
  const line = app
    .log()
    .split("\n")
    .find((each) => each.includes("second factor changed") && each.includes(member.userId));
  expect(JSON.parse(line ?? "{}")).toMatchObject({
    change: "totp_on",
    address: expect.any(String),
    requestId: expect.stringMatching(/^req_/),
  });
  const log = await app.wholeLog();
  for (const hidden of [secret, PASSWORD, row?.email ?? "no email", ...codes]) expect(log).not.toContain(hidden);
});
