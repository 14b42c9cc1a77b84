import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { hashPassword } from "#lib/passwords.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { times, until } from "#testing/until.ts";
import { findSession } from "../../sessions/index.ts";
import { knownDevice } from "../factors/devices.ts";
import { requestReset, resetPassword, signIn, signUp } from "../index.ts";
import { lockUser } from "../rows.ts";
import { anApplicant, anEmail, aStranger, aVerifiedUser, mailsTo, PASSWORD, signInAs, tokenMailedTo, verifyAs } from "../users.fixture.ts";

withDatabase();

const userOf = async (email: string) => {
  const [row] = await sql()<
    { id: string; password_hash: string; email_verified_at: Date | null }[]
  >`select * from users where email = ${email}`;
  if (!row) throw new Error(`no user ${email}`);
  return row;
};
const merchantsOf = (email: string) => sql()<{ mode: string; areas: number; keys: number }[]>`
  select m.mode, (select count(*)::int from merchant_areas a where a.merchant_id = m.id) as areas,
    (select count(*)::int from api_keys k where k.merchant_id = m.id) as keys
  from users u join members b on b.user_id = u.id join merchants m on m.business_id = b.business_id
  where u.email = ${email} and b.role = 'owner' order by m.mode`;

test("signing up makes no business and no session; verifying makes it in both modes, test mode with all areas, and signs in", async () => {
  const applicant = anApplicant();
  expect(await signUp(aStranger(), applicant)).toEqual({ status: "done" });
  expect(await merchantsOf(applicant.email)).toEqual([]);
  expect(await signInAs(applicant.email)).toEqual({ status: "unverified" });
  const verified = await verifyAs(await tokenMailedTo(applicant.email, "verify_email"));
  if (verified.status !== "verified") throw new Error(verified.status);
  expect(await merchantsOf(applicant.email)).toEqual([
    { mode: "test", areas: 3, keys: 0 },
    { mode: "live", areas: 0, keys: 0 },
  ]);
  expect(await findSession(verified.token)).toMatchObject({ userId: verified.userId });
  expect(await signInAs(applicant.email, { device: verified.device })).toMatchObject({ status: "signed_in", device: verified.device });
});

test("an email is the same in any case and with spaces around it", async () => {
  const email = await aVerifiedUser();
  expect(await signInAs(`  ${email.toUpperCase()} `)).toMatchObject({ status: "signed_in" });
});

test("five sign-ups at once with one email make one user, and its owner gets a mail about the others", async () => {
  const applicant = anApplicant();
  await Promise.all(times(5, () => signUp(aStranger(), applicant)));
  expect(await sql()`select 1 from users where email = ${applicant.email}`).toHaveLength(1);
  const kinds = (await mailsTo(applicant.email)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "verify_email")).toHaveLength(1);
  expect(kinds).toContain("email_taken");
});

test("signing up with a taken email changes neither its password nor its name", async () => {
  const email = await aVerifiedUser();
  const before = await userOf(email);
  await signUp(aStranger(), { ...anApplicant(email), name: "Mallory", password: "another phrase of many words" });
  expect(await userOf(email)).toEqual(before);
  expect((await mailsTo(email)).at(-1)?.kind).toBe("email_taken");
});

test.each([
  ["eleven characters", "aB3$xY9!kLm"],
  ["129 characters", "plantain rice ".repeat(10).slice(0, 129)],
  ["a common password", "password123456"],
  ["the person's own email", "ada.obi.shop"],
  ["one character many times", "aaaaaaaaaaaaaaaa"],
])("%s cannot be a password", async (_flaw, password) => {
  const applicant = { ...anApplicant("ada.obi@shop.example"), password };
  await expect(signUp(aStranger(), applicant)).rejects.toMatchObject({ code: "VALIDATION_ERROR", errors: [{ param: "password" }] });
});

test.each(["naira kobo plantain suya!", "ẹ káàárọ̀ ilé ayé rere", "🌾🍚🥘🌶️ jollof na bae", "  spaces at both ends  "])(
  "a password may have any characters: %s",
  async (password) => {
    const applicant = { ...anApplicant(), password };
    await signUp(aStranger(), applicant);
    await verifyAs(await tokenMailedTo(applicant.email, "verify_email"), { password });
    expect(await signInAs(applicant.email, { password })).toMatchObject({ status: "signed_in" });
    expect(await signInAs(applicant.email, { password: `${password}x` })).toEqual({ status: "wrong" });
  },
);

test("a link to verify works once, also for five clicks at once, makes one business, and is ended by a newer one", async () => {
  const applicant = anApplicant();
  await signUp(aStranger(), applicant);
  const first = await tokenMailedTo(applicant.email, "verify_email");
  await sql()`update user_tokens set created_at = created_at - interval '1 hour'`;
  await signInAs(applicant.email);
  const second = await tokenMailedTo(applicant.email, "verify_email");
  expect(second).not.toBe(first);
  expect(await verifyAs(first)).toEqual({ status: "link_ended" });
  const clicks = await Promise.all(times(5, () => verifyAs(second)));
  expect(clicks.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill("link_ended"), "verified"]);
  expect(await merchantsOf(applicant.email)).toHaveLength(2);
  expect(await verifyAs("x".repeat(43))).toEqual({ status: "link_ended" });
});

test("a link to verify ends after 3 days, and one to reset after 30 minutes", async () => {
  const email = await aVerifiedUser();
  const other = anApplicant();
  await signUp(aStranger(), other);
  await requestReset(aStranger(), email);
  const lasts = await sql()<{ kind: string; minutes: number }[]>`
    select kind, round(extract(epoch from expires_at - created_at) / 60)::int as minutes from user_tokens where used_at is null order by kind`;
  expect(lasts).toEqual(
    expect.arrayContaining([
      { kind: "verify_email", minutes: 3 * 24 * 60 },
      { kind: "reset_password", minutes: 30 },
    ]),
  );
  const [verify, reset] = [await tokenMailedTo(other.email, "verify_email"), await tokenMailedTo(email, "reset_password")];
  await sql()`update user_tokens set expires_at = now() - interval '1 second'`;
  expect(await verifyAs(verify)).toEqual({ status: "link_ended" });
  expect(await resetPassword(aStranger(), reset, "another phrase of many words")).toEqual({ status: "link_ended" });
});

test("a link to reset a password verifies no email, and still resets the password", async () => {
  const email = await aVerifiedUser();
  await requestReset(aStranger(), email);
  const reset = await tokenMailedTo(email, "reset_password");
  expect(await verifyAs(reset)).toEqual({ status: "link_ended" });
  expect(await resetPassword(aStranger(), reset, "another phrase of many words")).toMatchObject({ status: "changed" });
});

test("a new password ends every session, forgets other devices, makes the old password wrong, and tells the owner", async () => {
  const email = await aVerifiedUser();
  const before = await signInAs(email);
  if (before.status !== "signed_in") throw new Error(before.status);
  await requestReset(aStranger(), email);
  const token = await tokenMailedTo(email, "reset_password");
  await expect(resetPassword(aStranger(), token, "password123456")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  const changed = await resetPassword(aStranger(), token, "another phrase of many words");
  if (changed.status !== "changed") throw new Error(changed.status);
  expect(await findSession(before.token)).toBeUndefined();
  const { id } = await userOf(email);
  expect(await knownDevice(id, before.device)).toBeNull();
  expect(await knownDevice(id, changed.device)).not.toBeNull();
  expect(await signInAs(email)).toEqual({ status: "wrong" });
  expect(await signInAs(email, { password: "another phrase of many words" })).toMatchObject({ status: "signed_in" });
  expect((await mailsTo(email)).map(({ kind }) => kind)).toContain("password_changed");
});

test("asking for a reset of an unknown email stores nothing", async () => {
  const email = anEmail();
  await requestReset(aStranger(), email);
  expect(await mailsTo(email)).toEqual([]);
});

test("of 30 guesses at once at one account at most eight are checked, and the owner's own device still signs in", async () => {
  const email = await aVerifiedUser();
  const own = await signInAs(email);
  if (own.status !== "signed_in") throw new Error(own.status);
  const guesses = await Promise.all(times(30, (i) => signInAs(email, { password: `guess number ${i} of many` })));
  const lookedAt = guesses.filter(({ status }) => status === "wrong");
  expect(lookedAt.length).toBeLessThanOrEqual(8);
  expect(guesses.filter(({ status }) => status === "wait")).toHaveLength(30 - lookedAt.length);
  // A stranger with the right password has to wait now; the owner's browser does not.
  expect(await signInAs(email)).toMatchObject({ status: "wait" });
  expect(await signInAs(email, { device: own.device })).toMatchObject({ status: "signed_in", device: own.device });
});

test("a sign-in behind too many waiting strangers is refused without counting as a failure, and a known device signs in", async () => {
  const email = await aVerifiedUser();
  const own = await signInAs(email);
  if (own.status !== "signed_in") throw new Error(own.status);
  await sql()`delete from sign_in_failures`;
  const flood = times(300, () => hashPassword(PASSWORD).catch(() => undefined));
  const failed = await Promise.allSettled(times(4, () => signInAs(email)));
  const outcomes = failed.map((each) => (each.status === "fulfilled" ? each.value.status : (each.reason.code ?? each.reason)));
  expect(outcomes).toContain("RATE_LIMITED");
  // A slot may come free for one of them, which then signs in. Neither counts as a failure.
  expect(outcomes.filter((outcome) => outcome !== "RATE_LIMITED" && outcome !== "signed_in")).toEqual([]);
  expect(await sql()`select 1 from sign_in_failures`).toEqual([]);
  expect(await signInAs(email, { device: own.device })).toMatchObject({ status: "signed_in" });
  await Promise.all(flood);
});

test("an outdated hash is replaced at the next sign-in", async () => {
  const email = await aVerifiedUser();
  const { id, password_hash: fresh } = await userOf(email);
  const { scryptSync } = await import("node:crypto");
  const old = `scrypt$abc$${scryptSync(PASSWORD, "abc", 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }).toString("hex")}`;
  await sql()`update users set password_hash = ${old} where id = ${id}`;
  expect(await signInAs(email)).toMatchObject({ status: "signed_in" });
  const { password_hash: renewed } = await userOf(email);
  expect(renewed).toMatch(/^\$argon2id\$/);
  expect(renewed).not.toBe(fresh);
  expect(await signInAs(email)).toMatchObject({ status: "signed_in" });
});

test("an unknown email is answered like a wrong password, and takes as long", async () => {
  const email = await aVerifiedUser();
  const timeOf = async (address: string) => {
    const startedAt = performance.now();
    expect(await signInAs(address, { password: "not the password at all" })).toEqual({ status: "wrong" });
    return performance.now() - startedAt;
  };
  await timeOf(anEmail());
  const known: number[] = [];
  const unknown: number[] = [];
  for (let i = 0; i < 12; i++) {
    await sql()`delete from sign_in_failures`;
    known.push(await timeOf(email));
    unknown.push(await timeOf(anEmail()));
  }
  const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  // Without a hash to compare with, an unknown email would take a tenth of the time.
  expect(median(unknown) / median(known)).toBeGreaterThan(0.5);
  expect(median(unknown) / median(known)).toBeLessThan(2);
});

test("a sign-in that fails names no session, and no row has a token or a password in the clear", async () => {
  const email = await aVerifiedUser();
  await requestReset(aStranger(), email);
  const token = await tokenMailedTo(email, "reset_password");
  const signedIn = await signIn(aStranger(), { email, password: PASSWORD, device: null, session: null, userAgent: null });
  if (signedIn.status !== "signed_in") throw new Error(signedIn.status);
  const tables = ["users", "user_tokens", "known_devices", "sessions", "sign_in_failures", "mails", "audit_entries"];
  const rows = JSON.stringify(await Promise.all(tables.map((table) => sql()`select * from ${sql()(table)}`)), (_key, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  for (const secret of [PASSWORD, token, signedIn.token, signedIn.device]) expect(rows).not.toContain(secret);
});

test("a password that is changed while a sign-in compares it signs nobody in", async () => {
  const email = await aVerifiedUser();
  const { id } = await userOf(email);
  const changed = await hashPassword("another phrase of many words");
  const pending = await transaction(async (tx) => {
    await lockUser(tx, id);
    const signingIn = outsideTransaction(() => signInAs(email));
    await outsideTransaction(() => until(isLockAwaited));
    await tx.update(users).set({ passwordHash: changed }).where(eq(users.id, id));
    return { signingIn };
  });
  expect(await pending.signingIn).toEqual({ status: "wrong" });
});

test("signing in again in a browser ends the session that it had, and no other", async () => {
  const [email, neighbour] = [await aVerifiedUser(), await aVerifiedUser()];
  const enter = async (who: string, session: string | null) => {
    const result = await signInAs(who, { session });
    if (result.status !== "signed_in") throw new Error(result.status);
    return result.token;
  };
  const [here, elsewhere] = [await enter(email, null), await enter(email, null)];
  const again = await enter(email, here);
  const another = await enter(neighbour, again);
  await enter(email, "not a session of ours");
  await signInAs(email, { session: another, password: "not the password at all" });
  const open = await Promise.all([here, again, elsewhere, another].map(async (token) => (await findSession(token)) !== undefined));
  expect(open).toEqual([false, false, true, true]);
});
