import { type PublicKeyCredentialCreationOptionsJSON, verifyRegistrationResponse } from "@simplewebauthn/server";
import { expect, expectTypeOf, test, vi } from "vitest";
import type { z } from "zod";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import type { MemberContext } from "../../context.ts";
import { Authenticator, type Flaws } from "../factors/authenticator.fixture.ts";
import { addPasskey, aPersonWithPasskey } from "../factors/passkeys.fixture.ts";
import {
  aMemberContext,
  aPersonWithCodes,
  aTicket,
  codeOf,
  firstFactorProof,
  typeCode,
  wrongCodeFor,
} from "../factors/two-factor.fixture.ts";
import {
  beginPasskeyRegistration,
  beginTotp,
  confirmTotp,
  denyChange,
  finishPasskeyRegistration,
  getTwoFactor,
  type PasskeyOptionsObject,
  removePasskey,
  renamePasskey,
  turnOffTwoFactor,
} from "../index.ts";
import { aStranger, aVerifiedUser, mailsTo, PASSWORD, signInAs } from "../users.fixture.ts";

withDatabase();

vi.mock("@simplewebauthn/server", async (original) => {
  const actual = await original<typeof import("@simplewebauthn/server")>();
  return { ...actual, verifyRegistrationResponse: vi.fn(actual.verifyRegistrationResponse) };
});

const REFUSED = { code: "VALIDATION_ERROR", errors: [{ param: "response" }] };
const changesTo = async (email: string) =>
  (await mailsTo(email)).filter(({ kind }) => kind === "second_factor_changed").map(({ text }) => text);
const openSessions = async ({ actor }: MemberContext) => {
  const rows = await sql()<{ id: string }[]>`select id from sessions where user_id = ${actor.id} and ended_at is null order by id`;
  return rows.map(({ id }) => id);
};

test("a passkey is added after the password, named, listed and told by mail, and recovery codes come with the first one", async () => {
  const email = await aVerifiedUser();
  const other = await aMemberContext(email);
  const ctx = await aMemberContext(email);
  const options = await beginPasskeyRegistration(ctx, await firstFactorProof(ctx));
  expect(options).toMatchObject({
    ...{ rp: { id: "localhost", name: "Oja" }, attestation: "none", timeout: 300_000 },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const response = new Authenticator().register(options);
  const { passkey, recoveryCodes } = await finishPasskeyRegistration(ctx, { name: " Phone ", response });
  expect(passkey).toMatchObject({ name: "Phone", lastUsedAt: null });
  expect(recoveryCodes).toHaveLength(10);
  expect(await getTwoFactor(ctx)).toEqual({ isTotpOn: false, recoveryCodesLeft: 10, passkeys: [passkey] });
  expect(await changesTo(email)).toEqual([expect.stringContaining("passkey was added")]);
  expect(await openSessions(ctx)).toEqual([ctx.sessionId]);
  expect(other.sessionId).not.toBe(ctx.sessionId);
  expect(await signInAs(email)).toMatchObject({ status: "second_factor", factors: ["code", "passkey"] });
});

test("a second passkey ends no session, makes no new recovery codes, and the browser is asked for another device", async () => {
  const { ctx, email, recoveryCodes } = await aPersonWithPasskey();
  await typeCode(await aTicket(email), recoveryCodes[0] ?? "");
  const options = await beginPasskeyRegistration(ctx, { password: PASSWORD, code: recoveryCodes[1] });
  expect(options.excludeCredentials).toEqual([{ id: expect.any(String), type: "public-key", transports: ["internal", "hybrid"] }]);
  const added = await finishPasskeyRegistration(ctx, { name: "Key", response: new Authenticator().register(options) });
  expect(added.recoveryCodes).toBeNull();
  expect(await openSessions(ctx)).toHaveLength(2);
  expect((await getTwoFactor(ctx)).passkeys.map(({ name }) => name)).toEqual(["Phone", "Key"]);
});

test("adding a passkey needs the password, a code by mail, and a verified email", async () => {
  const email = await aVerifiedUser();
  const ctx = await aMemberContext(email);
  const proof = await firstFactorProof(ctx);
  await expect(beginPasskeyRegistration(ctx, { ...proof, password: "not the password at all" })).rejects.toMatchObject({
    errors: [{ param: "password" }],
  });
  for (const code of [undefined, "12345678"]) {
    await expect(beginPasskeyRegistration(ctx, { password: PASSWORD, code })).rejects.toMatchObject({ errors: [{ param: "code" }] });
  }
  const options = await beginPasskeyRegistration(ctx, proof);
  await sql()`update users set email_verified_at = null where email = ${email}`;
  await expect(beginPasskeyRegistration(ctx, proof)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  const response = new Authenticator().register(options);
  await expect(finishPasskeyRegistration(ctx, { name: "Phone", response })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect((await getTwoFactor(ctx)).passkeys).toEqual([]);
});

test.each<[string, Flaws]>([
  ["without user verification", { isVerified: false }],
  ["for another origin", { origin: "https://evil.example" }],
  ["for another host", { rpId: "evil.example" }],
  ["in a frame of another site", { crossOrigin: true }],
  ["with an attestation that was not asked for", { format: "android-key" }],
  ["of a sign-in", { type: "webauthn.get" }],
])("a new passkey %s is refused, and its challenge is used up", async (_flaw, flaws) => {
  const ctx = await aMemberContext(await aVerifiedUser());
  const options = await beginPasskeyRegistration(ctx, await firstFactorProof(ctx));
  const authenticator = new Authenticator();
  const add = (response: ReturnType<Authenticator["register"]>) => finishPasskeyRegistration(ctx, { name: "Phone", response });
  await expect(add(authenticator.register(options, flaws))).rejects.toMatchObject(REFUSED);
  // A challenge of a frame is not even looked up.
  await sql()`delete from passkey_challenges where user_id = ${ctx.actor.id} and ${flaws.crossOrigin === true}`;
  await expect(add(authenticator.register(options))).rejects.toMatchObject(REFUSED);
  expect((await getTwoFactor(ctx)).passkeys).toEqual([]);
});

test.each<[string, Flaws]>([
  ["of a kind that has certificates", { format: "android-key" }],
  ["with certificates", { format: "packed", certificates: [new Uint8Array([48, 0])] }],
])("an attestation %s is refused before its certificates are read, because they name addresses to fetch", async (_kind, flaws) => {
  const ctx = await aMemberContext(await aVerifiedUser());
  vi.mocked(verifyRegistrationResponse).mockClear();
  await expect(addPasskey(ctx, new Authenticator(), flaws)).rejects.toMatchObject(REFUSED);
  expect(verifyRegistrationResponse).not.toHaveBeenCalled();
  await addPasskey(ctx, new Authenticator());
  expect(verifyRegistrationResponse).toHaveBeenCalledTimes(1);
});

test("a challenge adds one passkey, even for five requests at once, only for its own member and within five minutes", async () => {
  const [ctx, other] = [await aMemberContext(await aVerifiedUser()), await aMemberContext(await aVerifiedUser())];
  const options = await beginPasskeyRegistration(ctx, await firstFactorProof(ctx));
  const add = (given: typeof options, by = ctx) =>
    finishPasskeyRegistration(by, { name: "Phone", response: new Authenticator().register(given) });
  const results = await Promise.allSettled(times(5, () => add(options)));
  const [added] = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const codes = added?.recoveryCodes ?? [];
  const begin = () => beginPasskeyRegistration(ctx, { password: PASSWORD, code: codes.pop() });
  await expect(add(await begin(), other)).rejects.toMatchObject(REFUSED);
  const late = await begin();
  await sql()`update passkey_challenges set expires_at = now() - interval '1 second'`;
  await expect(add(late)).rejects.toMatchObject(REFUSED);
  expect((await getTwoFactor(ctx)).passkeys).toHaveLength(1);
});

test("a passkey belongs to one person", async () => {
  const [ctx, other] = [await aMemberContext(await aVerifiedUser()), await aMemberContext(await aVerifiedUser())];
  const authenticator = new Authenticator();
  const { recoveryCodes } = await addPasskey(ctx, authenticator);
  await expect(addPasskey(other, authenticator)).rejects.toMatchObject(REFUSED);
  await expect(addPasskey(ctx, authenticator, {}, recoveryCodes?.[0])).rejects.toMatchObject(REFUSED);
  expect(await getTwoFactor(other)).toEqual({ isTotpOn: false, recoveryCodesLeft: 0, passkeys: [] });
});

test("a person has at most 20 passkeys", async () => {
  const ctx = await aMemberContext(await aVerifiedUser());
  const { recoveryCodes } = await addPasskey(ctx, new Authenticator());
  await sql()`
    insert into passkeys (id, user_id, credential_id, public_key, counter, name)
    select 'pky_' || n || ${ctx.actor.id}, ${ctx.actor.id}, n || ${ctx.actor.id}, '', 0, 'Key ' || n from generate_series(1, 18) n`;
  await addPasskey(ctx, new Authenticator(), {}, recoveryCodes?.[0]);
  await expect(addPasskey(ctx, new Authenticator(), {}, recoveryCodes?.[1])).rejects.toMatchObject({
    message: expect.stringContaining("20 passkeys"),
  });
});

test("a passkey is renamed and removed by its owner alone; removing needs the password with a code, and is told by mail", async () => {
  const { ctx, email, passkey, recoveryCodes } = await aPersonWithPasskey();
  const [code = ""] = recoveryCodes;
  const other = await aMemberContext(await aVerifiedUser());
  const missing = { code: "RESOURCE_NOT_FOUND" };
  await expect(renamePasskey(other, passkey.id, "Mine")).rejects.toMatchObject(missing);
  await expect(removePasskey(other, passkey.id, { password: PASSWORD })).rejects.toMatchObject(missing);
  expect(await renamePasskey(ctx, passkey.id, "Old phone ")).toMatchObject({ id: passkey.id, name: "Old phone" });
  const wrong = removePasskey(ctx, passkey.id, { password: "not the password at all", code });
  await expect(wrong).rejects.toMatchObject({ errors: [{ param: "password" }] });
  await expect(removePasskey(ctx, passkey.id, { password: PASSWORD })).rejects.toMatchObject({ errors: [{ param: "code" }] });
  expect((await getTwoFactor(ctx)).passkeys).toHaveLength(1);
  await removePasskey(ctx, passkey.id, { password: PASSWORD, code });
  expect((await changesTo(email)).at(-1)).toContain("passkey was removed");
  await expect(removePasskey(ctx, passkey.id, { password: PASSWORD })).rejects.toMatchObject(missing);
});

test("a new name of a passkey is mailed once, with a link that ends the session that gave it, and the same name is not mailed again", async () => {
  const { ctx, email, passkey } = await aPersonWithPasskey();
  const before = (await changesTo(email)).length;
  await renamePasskey(ctx, passkey.id, "Thief's phone");
  await renamePasskey(ctx, passkey.id, "Thief's phone ");
  const told = (await changesTo(email)).slice(before);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("A passkey of your Oja account got another name.");
  const link = /not-me\?token=([\w-]+)/.exec(told[0] ?? "")?.[1] ?? "";
  expect(await openSessions(ctx)).toHaveLength(1);
  // The factor is older than the change, so it stays.
  expect(await denyChange(aStranger(), link)).toEqual({ status: "denied", removedFactors: 0 });
  expect(await openSessions(ctx)).toEqual([]);
  expect(await signInAs(email)).toEqual({ status: "wrong" });
});

test("a session that renames a passkey again and again is refused after 20 mails about factors within a day", async () => {
  const { ctx, email, passkey } = await aPersonWithPasskey();
  const results = await Promise.allSettled(times(30, (i) => renamePasskey(ctx, passkey.id, `Name ${i}`)));
  for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "RATE_LIMITED" });
  expect(await changesTo(email)).toHaveLength(20);
  await sql()`update mails set created_at = created_at - interval '1 day' where recipient = ${email}`;
  expect(await renamePasskey(ctx, passkey.id, "Phone")).toMatchObject({ name: "Phone" });
});

test("recovery codes go with the last second factor, whichever that is", async () => {
  const { ctx, email, passkey, recoveryCodes } = await aPersonWithPasskey();
  await removePasskey(ctx, passkey.id, { password: PASSWORD, code: recoveryCodes[0] });
  expect(await getTwoFactor(ctx)).toEqual({ isTotpOn: false, recoveryCodesLeft: 0, passkeys: [] });
  expect(await signInAs(email)).toMatchObject({ status: "signed_in" });

  const both = await aPersonWithCodes();
  const { passkey: second } = await addPasskey(both.ctx, new Authenticator(), {}, both.recoveryCodes[9]);
  await turnOffTwoFactor(both.ctx, { password: PASSWORD, code: codeOf(both.secret) });
  expect(await getTwoFactor(both.ctx)).toMatchObject({ isTotpOn: false, recoveryCodesLeft: 9, passkeys: [second] });
  const off = turnOffTwoFactor(both.ctx, { password: PASSWORD, code: both.recoveryCodes[0] ?? "" });
  await expect(off).rejects.toMatchObject({ message: expect.stringContaining("No authenticator app") });
  expect(await getTwoFactor(both.ctx)).toMatchObject({ recoveryCodesLeft: 9 });
  await removePasskey(both.ctx, second.id, { password: PASSWORD, code: both.recoveryCodes[1] });
  expect(await getTwoFactor(both.ctx)).toMatchObject({ recoveryCodesLeft: 0 });
});

test("an authenticator app beside a passkey makes new recovery codes, and ends no other session", async () => {
  const { ctx, email, recoveryCodes } = await aPersonWithPasskey();
  await typeCode(await aTicket(email), recoveryCodes[0] ?? "");
  const { secret } = await beginTotp(ctx, { password: PASSWORD, code: recoveryCodes[2] });
  const renewed = await confirmTotp(ctx, codeOf(secret));
  expect(await openSessions(ctx)).toHaveLength(2);
  expect(await typeCode(await aTicket(email), recoveryCodes[1] ?? "")).toEqual({ status: "wrong" });
  expect(await typeCode(await aTicket(email), renewed[0] ?? "")).toMatchObject({ status: "signed_in", recoveryCodesLeft: 9 });
});

test("the options have the type that the browser's library takes", () => {
  expectTypeOf<z.output<typeof PasskeyOptionsObject>>().toExtend<PublicKeyCredentialCreationOptionsJSON>();
});

test("while an authenticator app is on, adding and removing a passkey need the password and a code, and neither alone", async () => {
  const { ctx, secret, recoveryCodes } = await aPersonWithCodes();
  const [first = "", second = ""] = recoveryCodes;
  const wrongCode = { code: "VALIDATION_ERROR", errors: [{ param: "code" }] };
  const wrongPassword = { code: "VALIDATION_ERROR", errors: [{ param: "password" }] };
  const begin = (proof: Parameters<typeof beginPasskeyRegistration>[1]) => beginPasskeyRegistration(ctx, proof);
  await expect(begin({ password: PASSWORD })).rejects.toMatchObject(wrongCode);
  await expect(begin({ password: PASSWORD, code: wrongCodeFor(secret) })).rejects.toMatchObject(wrongCode);
  await expect(begin({ password: "not the password at all", code: codeOf(secret) })).rejects.toMatchObject(wrongPassword);
  const options = await begin({ password: PASSWORD, code: first });
  await expect(begin({ password: PASSWORD, code: first })).rejects.toMatchObject(wrongCode);
  const { passkey } = await finishPasskeyRegistration(ctx, { name: "Phone", response: new Authenticator().register(options) });
  await expect(removePasskey(ctx, passkey.id, { password: PASSWORD })).rejects.toMatchObject(wrongCode);
  await expect(removePasskey(ctx, passkey.id, { password: PASSWORD, code: first })).rejects.toMatchObject(wrongCode);
  expect((await getTwoFactor(ctx)).passkeys).toEqual([passkey]);
  await removePasskey(ctx, passkey.id, { password: PASSWORD, code: second });
  expect(await getTwoFactor(ctx)).toMatchObject({ isTotpOn: true, recoveryCodesLeft: 8, passkeys: [] });
});

test("a password changed by a reset while it is compared removes no passkey", async () => {
  const { ctx, email, passkey, recoveryCodes } = await aPersonWithPasskey();
  let removal: Promise<unknown> | undefined;
  await sql().begin(async (tx) => {
    await tx`select 1 from users where email = ${email} for update`;
    removal = removePasskey(ctx, passkey.id, { password: PASSWORD, code: recoveryCodes[0] }).catch((error) => error.code);
    await until(isLockAwaited);
    await tx`update users set password_hash = password_hash || 'A' where email = ${email}`;
  });
  expect(await removal).toBe("VALIDATION_ERROR");
  expect((await getTwoFactor(ctx)).passkeys).toEqual([passkey]);
});

test("a registration begun as the first factor is refused beside another factor, and one begun as a further factor is refused as the first", async () => {
  const ctx = await aMemberContext(await aVerifiedUser());
  const asFirst = await beginPasskeyRegistration(ctx, await firstFactorProof(ctx));
  const { secret } = await beginTotp(ctx, await firstFactorProof(ctx));
  const phone = await addPasskey(ctx, new Authenticator());
  const add = (options: typeof asFirst) =>
    finishPasskeyRegistration(ctx, { name: "Second", response: new Authenticator().register(options) });
  await expect(add(asFirst)).rejects.toMatchObject(REFUSED);
  await expect(confirmTotp(ctx, codeOf(secret))).rejects.toMatchObject({ errors: [{ param: "code" }] });
  const [first, second] = phone.recoveryCodes ?? [];
  const asFurther = await beginPasskeyRegistration(ctx, { password: PASSWORD, code: first });
  await removePasskey(ctx, phone.passkey.id, { password: PASSWORD, code: second });
  await expect(add(asFurther)).rejects.toMatchObject(REFUSED);
  expect(await getTwoFactor(ctx)).toMatchObject({ isTotpOn: false, passkeys: [] });
});
