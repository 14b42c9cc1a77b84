import { beforeAll, expect, test } from "vitest";
import { call } from "#app/_client/call.ts";
import { firstFactorProof, pageClient } from "#app/_http/page-client.fixture.ts";
import { pageHeaders } from "#app/_http/page-headers.fixture.ts";
import { asMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { Authenticator } from "#services/users/factors/authenticator.fixture.ts";
import { getTwoFactor, presentTwoFactor } from "#services/users/index.ts";
import { aMemberWithPassword, lengthenWaits, PASSWORD } from "#services/users/users.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { POST as BeginPasskey } from "./passkeys/options/route.ts";

withDatabase();
const app = withApp();

const PATH = "/api/dashboard/passkeys";
let shop: TestMerchant;
let other: TestMerchant;
beforeAll(async () => {
  [shop, other] = [await aMerchant(), await aMerchant()];
});

const aMemberHere = (options?: { verified?: boolean }) => aMemberWithPassword(shop.merchant.businessId, "support", options);
const send = (member: { token: string }, method: string, path: string, body: unknown, changes = {}, merchantId = shop.merchant.id) =>
  pageClient(app, member, merchantId)(method, `${PATH}${path}`, { body, changes });
const firstProof = (member: TestMember) => firstFactorProof(app, member, shop.merchant.id);
const begin = async (member: TestMember, proof?: unknown) =>
  (await send(member, "POST", "/options", proof ?? (await firstProof(member)))).body.data;
/** The origin of the app under test, which is another than that of this process. */
const at = () => ({ origin: app.url, rpId: new URL(app.url).hostname });
const listed = async (member: TestMember) => presentTwoFactor(await getTwoFactor(asMember(shop.ctx, member))).passkeys;

async function add(member: TestMember, authenticator = new Authenticator(), name = "Phone") {
  const response = authenticator.register(await begin(member), at());
  return send(member, "POST", "", { name, response });
}

test("a member of any role adds a passkey, renames it and removes it", async () => {
  const member = await aMemberHere();
  const added = await add(member);
  expect(added.status).toBe(201);
  const { recovery_codes, ...passkey } = added.body.data;
  expect(recovery_codes).toHaveLength(10);
  expect(passkey).toMatchObject({ id: expect.stringMatching(/^pky_/), name: "Phone", last_used_at: null });
  expect(await listed(member)).toEqual([passkey]);
  const renamed = await send(member, "PATCH", `/${passkey.id}`, { name: "My phone" });
  expect(renamed.body.data).toEqual({ ...passkey, name: "My phone" });
  expectError(await send(member, "POST", `/${passkey.id}/remove`, { password: PASSWORD }), "VALIDATION_ERROR");
  const removed = await send(member, "POST", `/${passkey.id}/remove`, { password: PASSWORD, code: recovery_codes[0] });
  expect(removed.body.data).toEqual({ id: passkey.id, removed: true });
  expect(await listed(member)).toEqual([]);
});

test("the client of pages begins a passkey with types, and extra fields of the browser's answer are ignored", async () => {
  const member = await aMemberHere();
  const caller = { merchantId: shop.merchant.id, origin: app.url, headers: pageHeaders(app, member.token, shop.merchant.id) };
  const { data } = await call<typeof BeginPasskey>(caller, "POST", `${PATH}/options`, { body: await firstProof(member) });
  expect(data.authenticatorSelection.userVerification).toBe("required");
  const response = new Authenticator().register(data, at());
  const extra = { ...response, authenticatorAttachment: "platform", clientExtensionResults: { credProps: { rk: true } } };
  const body = { name: "Laptop", response: { ...extra, response: { ...response.response, publicKeyAlgorithm: -7, publicKey: "AA" } } };
  expect((await send(member, "POST", "", body)).status).toBe(201);
});

test("a wrong password, a wrong answer and a missing field are named", async () => {
  const member = await aMemberHere();
  expectError(await send(member, "POST", "/options", { password: PASSWORD }), "VALIDATION_ERROR");
  const { id, recovery_codes } = (await add(member)).body.data;
  const further = { password: PASSWORD, code: recovery_codes[0] };
  const wrongOrigin = new Authenticator().register(await begin(member, further), { ...at(), origin: "https://evil.example" });
  const fine = new Authenticator().register({ challenge: "AAAA", user: { id: "AA" } }, at());
  for (const [method, path, body, param] of [
    ["POST", "/options", { password: "not the password at all" }, "password"],
    ["POST", "/options", { password: PASSWORD }, "code"],
    ["POST", "/options", { password: PASSWORD, code: "00000000" }, "code"],
    ["POST", "", { name: "Phone", response: wrongOrigin }, "response"],
    ["POST", "", { name: "Phone", response: fine }, "response"],
    ["POST", "", { name: " ", response: fine }, "name"],
    ["POST", "", { name: "x".repeat(61), response: fine }, "name"],
    ["POST", "", { name: "Phone", response: { ...fine, type: "password" } }, "response.type"],
    ["POST", "", { name: "Phone", response: { ...fine, id: "a/b" } }, "response.id"],
    ["PATCH", `/${id}`, { name: "" }, "name"],
    ["POST", `/${id}/remove`, { password: "not the password at all" }, "password"],
    ["POST", `/${id}/remove`, { password: PASSWORD }, "code"],
  ] as const) {
    const answer = await send(member, method, path, body);
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param, `${method} ${path}`).toBe(param);
  }
  expect(await listed(member)).toHaveLength(1);
});

test("before the email is verified no passkey is added, and after too many wrong passwords a member has to wait", async () => {
  expectError(await send(await aMemberHere({ verified: false }), "POST", "/options", { password: PASSWORD }), "PERMISSION_DENIED");
  const member = await aMemberHere();
  const guesses = await Promise.all(times(30, (i) => send(member, "POST", "/options", { password: `guess number ${i} of many` })));
  expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
  await lengthenWaits();
  expectError(await send(member, "POST", "/options", { password: PASSWORD }), "RATE_LIMITED");
});

test("nobody renames or removes a colleague's passkey, or calls from another business or without a session", async () => {
  const [member, colleague] = [await aMemberHere(), await aMemberHere()];
  const { id } = (await add(member)).body.data;
  expectError(await send(colleague, "PATCH", `/${id}`, { name: "Mine" }), "RESOURCE_NOT_FOUND");
  expectError(await send(colleague, "POST", `/${id}/remove`, { password: PASSWORD }), "RESOURCE_NOT_FOUND");
  expectError(await send(member, "POST", `/${id}/remove`, { password: PASSWORD }, {}, other.merchant.id), "RESOURCE_NOT_FOUND");
  expectError(await send({ token: "" }, "PATCH", `/${id}`, { name: "Mine" }), "MISSING_CREDENTIALS");
  expect(await listed(member)).toMatchObject([{ id, name: "Phone" }]);
});

test("one answer of a browser sent five times at once adds one passkey, and five removals remove it once", async () => {
  const member = await aMemberHere();
  const response = new Authenticator().register(await begin(member), at());
  const added = await Promise.all(times(5, () => send(member, "POST", "", { name: "Phone", response })));
  expect(added.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422]);
  const [passkey] = await listed(member);
  const [code] = added.find(({ status }) => status === 201)?.body.data.recovery_codes ?? [];
  const removed = await Promise.all(times(5, () => send(member, "POST", `/${passkey?.id}/remove`, { password: PASSWORD, code })));
  // With the last passkey the codes are gone too, and no code is due any more.
  expect(removed.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
});

test("a replay adds no second passkey and shows no recovery codes, and one of a removal changes nothing", async () => {
  const member = await aMemberHere();
  const key = (name: string) => ({ "Idempotency-Key": `${name}-${member.userId}` });
  const options = async () => send(member, "POST", "/options", await firstProof(member), key("begin"));
  const [first, second] = [await options(), await options()];
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.body.data.challenge).not.toBe(first.body.data.challenge);
  const response = new Authenticator().register(second.body.data, at());
  const send1 = () => send(member, "POST", "", { name: "Phone", response }, key("add"));
  const [added, again] = [await send1(), await send1()];
  expect(again.status).toBe(201);
  expect(again.body.data).toEqual({ ...added.body.data, recovery_codes: null });
  expect(await listed(member)).toHaveLength(1);
  const proof = { password: PASSWORD, code: added.body.data.recovery_codes[0] };
  const remove = () => send(member, "POST", `/${added.body.data.id}/remove`, proof, key("remove"));
  expect((await remove()).body).toEqual((await remove()).body);
  expect(await listed(member)).toEqual([]);
  expectError(await send1(), "RESOURCE_NOT_FOUND");
});
