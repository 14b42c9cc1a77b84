import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { MemberContext } from "../../context.ts";
import {
  aMemberContext,
  aPersonWithCodes,
  aTicket,
  codeOf,
  firstFactorProof,
  nextStep,
  typeCode,
  wrongCodeFor,
} from "../factors/two-factor.fixture.ts";
import { beginTotp, confirmTotp, getTwoFactor, renewRecoveryCodes, turnOffTwoFactor } from "../index.ts";
import { aVerifiedUser, lengthenWaits, mailsTo, PASSWORD, signInAs } from "../users.fixture.ts";

withDatabase();

const WRONG_PASSWORD = { code: "VALIDATION_ERROR", errors: [{ param: "password" }] };
const WRONG_CODE = { code: "VALIDATION_ERROR", errors: [{ param: "code" }] };

const changesTo = async (email: string) =>
  (await mailsTo(email)).filter(({ kind }) => kind === "second_factor_changed").map(({ text }) => text);
const openSessions = async ({ actor }: MemberContext) => {
  const rows = await sql()<{ id: string }[]>`select id from sessions where user_id = ${actor.id} and ended_at is null order by id`;
  return rows.map(({ id }) => id);
};

test("an authenticator app is on after its first code, which is told by mail, and has ten recovery codes", async () => {
  const email = await aVerifiedUser();
  const ctx = await aMemberContext(email);
  expect(await getTwoFactor(ctx)).toEqual({ isTotpOn: false, recoveryCodesLeft: 0, passkeys: [] });
  const { secret, uri } = await beginTotp(ctx, await firstFactorProof(ctx));
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(new URL(uri).searchParams.get("secret")).toBe(secret);
  expect(uri).toMatch(/^otpauth:\/\/totp\/Oja:[^?]+\?issuer=Oja&secret=\w+&algorithm=SHA1&digits=6&period=30$/);
  expect(decodeURIComponent(uri)).toContain(`Oja:${email}?`);
  expect(await signInAs(email)).toMatchObject({ status: "signed_in" });
  expect(await confirmTotp(ctx, codeOf(secret))).toHaveLength(10);
  expect(await getTwoFactor(ctx)).toMatchObject({ isTotpOn: true, recoveryCodesLeft: 10 });
  expect(await changesTo(email)).toEqual([expect.stringContaining("were turned on")]);
});

test("setting up an app needs the password, a code by mail, and a verified email", async () => {
  const email = await aVerifiedUser();
  const ctx = await aMemberContext(email);
  const proof = await firstFactorProof(ctx);
  await expect(beginTotp(ctx, { ...proof, password: "not the password at all" })).rejects.toMatchObject(WRONG_PASSWORD);
  await expect(beginTotp(ctx, { password: PASSWORD })).rejects.toMatchObject(WRONG_CODE);
  await expect(beginTotp(ctx, { password: PASSWORD, code: "12345678" })).rejects.toMatchObject(WRONG_CODE);
  const { secret } = await beginTotp(ctx, proof);
  await sql()`update users set email_verified_at = null where email = ${email}`;
  await expect(beginTotp(ctx, proof)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  await expect(confirmTotp(ctx, codeOf(secret))).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(await getTwoFactor(ctx)).toMatchObject({ isTotpOn: false, recoveryCodesLeft: 0 });
});

test("a wrong first code turns nothing on, and the secret can still be confirmed", async () => {
  const ctx = await aMemberContext(await aVerifiedUser());
  await expect(confirmTotp(ctx, "123456")).rejects.toMatchObject(WRONG_CODE);
  const { secret } = await beginTotp(ctx, await firstFactorProof(ctx));
  await expect(confirmTotp(ctx, wrongCodeFor(secret))).rejects.toMatchObject(WRONG_CODE);
  expect(await getTwoFactor(ctx)).toMatchObject({ isTotpOn: false, recoveryCodesLeft: 0 });
  expect(await confirmTotp(ctx, codeOf(secret))).toHaveLength(10);
});

test("a new secret takes the place of one that was not confirmed, and never of a confirmed one", async () => {
  const ctx = await aMemberContext(await aVerifiedUser());
  const first = await beginTotp(ctx, await firstFactorProof(ctx));
  const second = await beginTotp(ctx, await firstFactorProof(ctx));
  expect(second.secret).not.toBe(first.secret);
  await expect(confirmTotp(ctx, codeOf(first.secret))).rejects.toMatchObject(WRONG_CODE);
  const [code = ""] = await confirmTotp(ctx, codeOf(second.secret));
  const before = await sql()`select * from totp_secrets where user_id = ${ctx.actor.id}`;
  await expect(beginTotp(ctx, { password: PASSWORD, code })).rejects.toMatchObject({
    message: "Codes are on already. Turn them off before you set up another app.",
  });
  expect(await sql()`select * from totp_secrets where user_id = ${ctx.actor.id}`).toEqual(before);
});

test("of five confirmations at once one turns codes on, and its recovery codes are the ones that work", async () => {
  const email = await aVerifiedUser();
  const ctx = await aMemberContext(email);
  const { secret } = await beginTotp(ctx, await firstFactorProof(ctx));
  const results = await Promise.allSettled(times(5, () => confirmTotp(ctx, codeOf(secret))));
  const codes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(codes).toHaveLength(1);
  expect(await changesTo(email)).toHaveLength(1);
  expect(await typeCode(await aTicket(email), codes[0]?.[0] ?? "")).toMatchObject({ status: "signed_in", recoveryCodesLeft: 9 });
});

test("the first second factor ends the other sessions, and turning it off ends none", async () => {
  const email = await aVerifiedUser();
  const other = await aMemberContext(email);
  const ctx = await aMemberContext(email);
  const { secret } = await beginTotp(ctx, await firstFactorProof(ctx));
  expect(await openSessions(ctx)).toEqual(expect.arrayContaining([other.sessionId, ctx.sessionId]));
  await confirmTotp(ctx, codeOf(secret));
  expect(await openSessions(ctx)).toEqual([ctx.sessionId]);
  await nextStep(ctx.actor.id);
  await typeCode(await aTicket(email), codeOf(secret));
  await nextStep(ctx.actor.id);
  await turnOffTwoFactor(ctx, { password: PASSWORD, code: codeOf(secret) });
  expect(await openSessions(ctx)).toHaveLength(2);
});

test.each([
  ["turning off", turnOffTwoFactor],
  ["new recovery codes", renewRecoveryCodes],
])("%s needs the password and a code, and neither alone", async (_name, change) => {
  const { ctx, secret, recoveryCodes } = await aPersonWithCodes();
  const code = codeOf(secret);
  await expect(change(ctx, { password: "not the password at all", code })).rejects.toMatchObject(WRONG_PASSWORD);
  await expect(change(ctx, { password: PASSWORD, code: wrongCodeFor(secret) })).rejects.toMatchObject(WRONG_CODE);
  await expect(change(ctx, { password: recoveryCodes[0] ?? "", code })).rejects.toMatchObject(WRONG_PASSWORD);
  await expect(change(ctx, { password: PASSWORD, code: PASSWORD })).rejects.toMatchObject(WRONG_CODE);
  expect(await getTwoFactor(ctx)).toMatchObject({ isTotpOn: true, recoveryCodesLeft: 10 });
  await change(ctx, { password: PASSWORD, code });
});

test("after turning two-step sign-in off by a recovery code, the password alone signs in, no code works, and the owner is told", async () => {
  const { email, ctx, recoveryCodes } = await aPersonWithCodes();
  await turnOffTwoFactor(ctx, { password: PASSWORD, code: recoveryCodes[3] ?? "" });
  expect(await getTwoFactor(ctx)).toEqual({ isTotpOn: false, recoveryCodesLeft: 0, passkeys: [] });
  expect(await signInAs(email)).toMatchObject({ status: "signed_in" });
  expect((await changesTo(email)).at(-1)).toContain("were turned off");
  await expect(turnOffTwoFactor(ctx, { password: PASSWORD, code: recoveryCodes[4] ?? "" })).rejects.toMatchObject(WRONG_CODE);
});

test("of five who turn codes off at once with one code one does, and the owner is told once", async () => {
  const { email, ctx, secret } = await aPersonWithCodes();
  const results = await Promise.allSettled(times(5, () => turnOffTwoFactor(ctx, { password: PASSWORD, code: codeOf(secret) })));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await changesTo(email)).filter((text) => text.includes("turned off"))).toHaveLength(1);
});

test("new recovery codes end the earlier ones, and the owner is told", async () => {
  const { email, ctx, secret, recoveryCodes } = await aPersonWithCodes();
  const renewed = await renewRecoveryCodes(ctx, { password: PASSWORD, code: codeOf(secret) });
  expect(renewed).toHaveLength(10);
  expect(renewed.filter((code) => recoveryCodes.includes(code))).toEqual([]);
  expect((await changesTo(email)).at(-1)).toContain("New recovery codes were made");
  expect(await typeCode(await aTicket(email), recoveryCodes[0] ?? "")).toEqual({ status: "wrong" });
  expect(await typeCode(await aTicket(email), renewed[0] ?? "")).toMatchObject({ status: "signed_in", recoveryCodesLeft: 9 });
});

test("wrong codes of a signed-in member have to wait like wrong passwords, in one count with them", async () => {
  const { ctx, secret } = await aPersonWithCodes();
  const wrong = { password: PASSWORD, code: wrongCodeFor(secret) };
  const guesses = await Promise.allSettled([
    ...times(10, () => turnOffTwoFactor(ctx, wrong)),
    ...times(10, () => renewRecoveryCodes(ctx, wrong)),
    ...times(10, () => turnOffTwoFactor(ctx, { password: "not the password at all", code: "123456" })),
    ...times(10, () => confirmTotp(ctx, "123456")),
  ]);
  const refused = guesses.filter((result) => result.status === "rejected" && result.reason.code === "RATE_LIMITED");
  expect(refused.length).toBeGreaterThanOrEqual(20);
  await lengthenWaits();
  await expect(turnOffTwoFactor(ctx, { password: PASSWORD, code: codeOf(secret) })).rejects.toMatchObject({ code: "RATE_LIMITED" });
});
