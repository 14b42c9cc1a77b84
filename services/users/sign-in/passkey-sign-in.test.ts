import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { keyedHash } from "#lib/secrets.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { Authenticator, type Flaws } from "../factors/authenticator.fixture.ts";
import { addPasskey, aPersonWithPasskey, signInBy } from "../factors/passkeys.fixture.ts";
import { aPersonWithCodes, aTicket, typeCode } from "../factors/two-factor.fixture.ts";
import {
  beginPasskeyRegistration,
  beginPasskeySignIn,
  finishPasskeySignIn,
  getTwoFactor,
  purgeOldSignInTries,
  removePasskey,
  requestReset,
  resetPassword,
} from "../index.ts";
import { aStranger, lengthenWaits, PASSWORD, signInAs, tokenMailedTo } from "../users.fixture.ts";

withDatabase();

const openSessions = async (userId: string) => (await sql()`select id from sessions where user_id = ${userId} and ended_at is null`).length;

test("a passkey signs in without a password, and no code is due after it", async () => {
  const { ctx, authenticator } = await aPersonWithPasskey();
  const before = await openSessions(ctx.actor.id);
  const entered = await signInBy(authenticator);
  expect(entered).toMatchObject({ status: "signed_in", method: "passkey", userId: ctx.actor.id });
  expect(await openSessions(ctx.actor.id)).toBe(before + 1);
  const [used] = (await getTwoFactor(ctx)).passkeys;
  expect(used?.lastUsedAt).toBeInstanceOf(Date);
});

test("a passkey is a second factor after the password, and its ticket works once", async () => {
  const { email, authenticator } = await aPersonWithPasskey();
  const ticket = await aTicket(email);
  const { options } = await beginPasskeySignIn(aStranger(), { ticket });
  expect(options).toMatchObject({ rpId: "localhost", userVerification: "required", timeout: 300_000 });
  expect(options.allowCredentials).toEqual([{ id: expect.any(String), type: "public-key", transports: ["internal", "hybrid"] }]);
  // A key that keeps no names of users answers without one.
  expect(await signInBy(authenticator, { ticket, flaws: { userHandle: undefined } })).toMatchObject({
    status: "signed_in",
    method: "passkey",
  });
  expect(await signInBy(authenticator, { ticket })).toEqual({ status: "expired" });
});

test("a browser without a valid ticket gets no list of passkeys", async () => {
  await aPersonWithPasskey();
  for (const ticket of [null, "x".repeat(43)]) {
    const { options, challenge } = await beginPasskeySignIn(aStranger(), { ticket });
    expect(options.allowCredentials ?? []).toEqual([]);
    expect(challenge).toBe(options.challenge);
    expect(challenge).toMatch(/^[\w-]{43}$/);
  }
});

test.each<[string, Flaws]>([
  ["without user verification", { isVerified: false }],
  ["for another origin", { origin: "https://evil.example" }],
  ["for another port of this host", { origin: "http://localhost:1" }],
  ["for another host", { rpId: "evil.example" }],
  ["in a frame of another site", { crossOrigin: true }],
  ["of a registration", { type: "webauthn.create" }],
  ["that names another user", { userHandle: Buffer.from("usr_other").toString("base64url") }],
  ["that names no user, without a password", { userHandle: undefined }],
])("an answer %s signs nobody in, and counts as no failure", async (_flaw, flaws) => {
  const { ctx, authenticator } = await aPersonWithPasskey();
  await sql()`delete from sign_in_failures`;
  const before = await openSessions(ctx.actor.id);
  expect(await signInBy(authenticator, { flaws })).toEqual({ status: "wrong" });
  expect(await openSessions(ctx.actor.id)).toBe(before);
  expect(await sql()`select failures from sign_in_failures`).toEqual([]);
});

test("an answer with a wrong signature, of an unknown passkey, or without the needed form signs nobody in", async () => {
  const { authenticator } = await aPersonWithPasskey();
  const stranger = new Authenticator();
  const ctx = aStranger();
  const { challenge } = await beginPasskeySignIn(ctx, { ticket: null });
  const real = authenticator.signIn({ challenge });
  const forged = stranger.signIn({ challenge });
  for (const response of [
    { ...real, response: { ...real.response, signature: forged.response.signature } },
    { ...real, response: { ...real.response, signature: "AAAA" } },
    { ...real, response: { ...real.response, authenticatorData: "AAAA" } },
    { ...real, response: { ...real.response, clientDataJSON: "AAAA" } },
    { ...real, rawId: forged.rawId },
    forged,
    { id: "no answer" },
    null,
    "text",
  ]) {
    await sql()`delete from sign_in_failures`;
    await reopen(challenge);
    const given = { challenge, ticket: null, response, device: null, session: null, userAgent: null };
    expect(await finishPasskeySignIn(ctx, given)).toEqual({ status: "wrong" });
  }
  await reopen(challenge);
  expect(
    await finishPasskeySignIn(ctx, { challenge, ticket: null, response: real, device: null, session: null, userAgent: null }),
  ).toMatchObject({
    status: "signed_in",
  });
});

/** Makes a challenge usable, also one that was used. */
const reopen = (challenge: string) => sql()`
  insert into passkey_challenges (hash, expires_at) values (${keyedHash("passkey-challenge", challenge)}, now() + interval '1 minute')
  on conflict do nothing`;

test("a challenge works once, even for five at once, and for five minutes, and a challenge of a registration never signs in", async () => {
  const { ctx, authenticator, recoveryCodes } = await aPersonWithPasskey();
  const { options, challenge } = await beginPasskeySignIn(aStranger(), { ticket: null });
  const response = authenticator.signIn(options);
  const finish = (given: string, answer = response) =>
    finishPasskeySignIn(aStranger(), { challenge: given, ticket: null, response: answer, device: null, session: null, userAgent: null });
  const results = await Promise.all(times(5, () => finish(challenge)));
  expect(results.map(({ status }) => status).toSorted()).toEqual(["expired", "expired", "expired", "expired", "signed_in"]);
  expect(await finish(challenge)).toEqual({ status: "expired" });
  const late = await beginPasskeySignIn(aStranger(), { ticket: null });
  await sql()`update passkey_challenges set expires_at = now() - interval '1 second'`;
  expect(await finish(late.challenge, authenticator.signIn(late.options))).toEqual({ status: "expired" });
  const registration = await beginPasskeyRegistration(ctx, { password: PASSWORD, code: recoveryCodes[0] });
  expect(await finish(registration.challenge, authenticator.signIn(registration))).toEqual({ status: "expired" });
});

test("an answer for one challenge does not fit another one", async () => {
  const { authenticator } = await aPersonWithPasskey();
  const [mine, theirs] = [await beginPasskeySignIn(aStranger(), { ticket: null }), await beginPasskeySignIn(aStranger(), { ticket: null })];
  const response = authenticator.signIn(mine.options);
  const finish = { challenge: theirs.challenge, ticket: null, response, device: null, session: null, userAgent: null };
  expect(await finishPasskeySignIn(aStranger(), finish)).toEqual({ status: "wrong" });
});

test("a counter that is not higher than before is refused as a copied key, and one that stays 0 is not", async () => {
  const counting = await aPersonWithPasskey({ counter: 5 });
  const signIn = async (counter: number) => (await signInBy(counting.authenticator, { flaws: { counter } })).status;
  expect(await signIn(7)).toBe("signed_in");
  for (const counter of [7, 6, 0]) expect(await signIn(counter)).toBe("wrong");
  expect(await signIn(8)).toBe("signed_in");
  const copied = await aPersonWithPasskey();
  for (const _time of [1, 2]) expect(await signInBy(copied.authenticator)).toMatchObject({ status: "signed_in" });
});

test("of five sign-ins at once with one counter one works", async () => {
  const { authenticator } = await aPersonWithPasskey({ counter: 1 });
  const results = await Promise.all(times(5, () => signInBy(authenticator, { flaws: { counter: 2 } })));
  expect(results.filter(({ status }) => status === "signed_in")).toHaveLength(1);
});

test("a ticket is refused with another person's passkey", async () => {
  const [person, other] = [await aPersonWithPasskey(), await aPersonWithPasskey()];
  const ticket = await aTicket(person.email);
  expect(await signInBy(other.authenticator, { ticket })).toEqual({ status: "wrong" });
  expect(await signInBy(person.authenticator, { ticket })).toMatchObject({ status: "signed_in", userId: person.ctx.actor.id });
});

test("a removed passkey, and one of a user whose email is not verified, sign nobody in", async () => {
  const { ctx, authenticator, passkey, email, recoveryCodes } = await aPersonWithPasskey();
  await sql()`update users set email_verified_at = null where email = ${email}`;
  expect(await signInBy(authenticator)).toEqual({ status: "wrong" });
  await sql()`update users set email_verified_at = now() where email = ${email}`;
  expect(await signInBy(authenticator)).toMatchObject({ status: "signed_in" });
  await removePasskey(ctx, passkey.id, { password: PASSWORD, code: recoveryCodes[0] });
  expect(await signInBy(authenticator)).toEqual({ status: "wrong" });
});

test("wrong passwords from many networks do not block passkeys or recovery codes, with or without a ticket", async () => {
  const { email, authenticator, recoveryCodes } = await aPersonWithPasskey();
  const [ticket, other] = [await aTicket(email), await aTicket(email)];
  await Promise.all(times(20, () => signInAs(email, { password: "a stranger's guess" })));
  await lengthenWaits();
  expect(await signInAs(email)).toMatchObject({ status: "wait" });
  expect(await signInBy(authenticator)).toMatchObject({ status: "signed_in" });
  expect(await signInBy(authenticator, { ticket })).toMatchObject({ status: "signed_in" });
  expect(await typeCode(other, recoveryCodes[0] ?? "")).toMatchObject({ status: "signed_in", method: "recovery_code" });
});

test("50 wrong passkeys from one network block neither the right passkey nor a password from there", async () => {
  const { email, authenticator } = await aPersonWithPasskey();
  const ctx = aStranger();
  const unknown = await Promise.all(times(50, () => signInBy(new Authenticator(), { ctx })));
  expect(unknown.every(({ status }) => status === "wrong")).toBe(true);
  expect(await signInBy(authenticator, { ctx })).toMatchObject({ status: "signed_in" });
  expect(await signInAs(email, { ctx })).toMatchObject({ status: "second_factor" });
});

test("a reset of the password leaves passkeys on", async () => {
  const { email, authenticator } = await aPersonWithPasskey();
  await requestReset(aStranger(), email);
  const password = "another phrase of many words";
  await resetPassword(aStranger(), await tokenMailedTo(email, "reset_password"), password);
  expect(await signInAs(email, { password })).toMatchObject({ status: "second_factor", factors: ["code", "passkey"] });
  expect(await signInBy(authenticator)).toMatchObject({ status: "signed_in" });
});

test("a person with an app and a passkey may use either, and a recovery code replaces a passkey", async () => {
  const both = await aPersonWithCodes();
  await addPasskey(both.ctx, new Authenticator(), {}, both.recoveryCodes[9]);
  expect(await signInAs(both.email)).toMatchObject({ factors: ["code", "passkey"] });
  const { email, recoveryCodes } = await aPersonWithPasskey();
  expect(await typeCode(await aTicket(email), recoveryCodes[0] ?? "")).toMatchObject({ method: "recovery_code", recoveryCodesLeft: 9 });
  await sql()`update recovery_codes set used_at = now()`;
  expect(await signInAs(email)).toMatchObject({ factors: ["passkey"] });
});

test("challenges that have ended are deleted, and open ones are not", async () => {
  await sql()`delete from passkey_challenges`;
  await beginPasskeySignIn(aStranger(), { ticket: null });
  await sql()`update passkey_challenges set expires_at = now() - interval '1 second'`;
  const { challenge } = await beginPasskeySignIn(aStranger(), { ticket: null });
  expect(await purgeOldSignInTries(systemContext("test"))).toBeGreaterThan(0);
  const left = await sql()`select * from passkey_challenges`;
  expect(left).toHaveLength(1);
  expect(JSON.stringify(left)).not.toContain(challenge);
});
