import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { lockWaiters } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { requestReset, resetPassword, signUp } from "../index.ts";
import {
  anApplicant,
  anEmail,
  aStranger,
  aVerifiedUser,
  lengthenWaits,
  mailsTo,
  PASSWORD,
  signInAs,
  tokenMailedTo,
  verifyAs,
} from "../users.fixture.ts";

withDatabase();

const OTHER = "another phrase of many words";
const ageTokens = () => sql()`update user_tokens set created_at = created_at - interval '3 minutes'`;
const businessesOf = (email: string) =>
  sql()<{ name: string }[]>`
    select s.name from users u join members b on b.user_id = u.id join businesses s on s.id = b.business_id where u.email = ${email}`;
/** A stranger signs up with somebody's email, and then its owner does. Returns the email. */
async function aDisputedEmail(): Promise<string> {
  const email = anEmail();
  await signUp(aStranger(), { ...anApplicant(email), name: "Mallory", password: OTHER });
  await signUp(aStranger(), anApplicant(email));
  return email;
}

test("the link of a stranger's sign-up verifies the email only with the stranger's password", async () => {
  const email = await aDisputedEmail();
  const token = await tokenMailedTo(email, "verify_email");
  expect(await verifyAs(token)).toEqual({ status: "wrong" });
  expect(await businessesOf(email)).toEqual([]);
  expect((await signInAs(email, { password: OTHER })).status).toBe("unverified");
  // The link was not used up.
  expect((await verifyAs(token, { password: OTHER })).status).toBe("verified");
});

test("the owner of an email gets a stranger's account by a reset, which makes one business and ends the stranger's link", async () => {
  const email = await aDisputedEmail();
  await requestReset(aStranger(), email);
  const [verify, reset] = [await tokenMailedTo(email, "verify_email"), await tokenMailedTo(email, "reset_password")];
  // The owner's click has the new password, so it confirms the email too if it comes after the reset. The business is opened once in either order.
  const [changed] = await Promise.all([resetPassword(aStranger(), reset, PASSWORD), verifyAs(verify)]);
  expect(changed.status).toBe("changed");
  expect(await businessesOf(email)).toHaveLength(1);
  expect((await verifyAs(verify, { password: OTHER })).status).not.toBe("verified");
  expect((await signInAs(email, { password: OTHER })).status).toBe("wrong");
  expect((await signInAs(email)).status).toBe("signed_in");
});

test("a link to verify and a reset at once open one business", async () => {
  const applicant = anApplicant();
  await signUp(aStranger(), applicant);
  await requestReset(aStranger(), applicant.email);
  const [verify, reset] = [await tokenMailedTo(applicant.email, "verify_email"), await tokenMailedTo(applicant.email, "reset_password")];
  await Promise.all([resetPassword(aStranger(), reset, OTHER), ...times(3, () => verifyAs(verify))]);
  expect(await businessesOf(applicant.email)).toEqual([{ name: applicant.business }]);
});

test("wrong passwords with a link are counted, and a stranger who guesses at them has to wait", async () => {
  const applicant = anApplicant();
  await signUp(aStranger(), applicant);
  const token = await tokenMailedTo(applicant.email, "verify_email");
  const guesses = await Promise.all(times(20, (i) => verifyAs(token, { password: `guess number ${i}` })));
  expect(guesses.filter(({ status }) => status === "wrong").length).toBeLessThanOrEqual(8);
  await lengthenWaits();
  expect(await verifyAs(token)).toMatchObject({ status: "wait", waitSeconds: expect.any(Number) });
});

test("five sign-ups at once with a taken email tell its owner once", async () => {
  const email = await aVerifiedUser();
  let signUps: Promise<unknown> | undefined;
  await sql().begin(async (tx) => {
    await tx`lock table mails in share mode`;
    signUps = Promise.all(times(5, () => signUp(aStranger(), anApplicant(email))));
    await until(async () => (await lockWaiters()) === 5);
  });
  await signUps;
  expect((await mailsTo(email)).filter(({ kind }) => kind === "email_taken")).toHaveLength(1);
});

test("20 requests at once for a new password send one mail", async () => {
  const email = await aVerifiedUser();
  await Promise.all(times(20, () => requestReset(aStranger(), email)));
  expect((await mailsTo(email)).filter(({ kind }) => kind === "reset_password")).toHaveLength(1);
});

test("strangers can have 6 mails sent to an address within a day, whatever they do", async () => {
  const email = anEmail();
  await signUp(aStranger(), anApplicant(email));
  const ctx = aStranger();
  for (let i = 0; i < 12; i++) {
    await ageTokens();
    await signInAs(email, { ctx });
    await requestReset(aStranger(), email);
    await signUp(aStranger(), anApplicant(email));
  }
  expect(await mailsTo(email)).toHaveLength(6);
  await sql()`update mails set created_at = created_at - interval '25 hours'`;
  await requestReset(aStranger(), email);
  expect(await mailsTo(email)).toHaveLength(7);
});

test("a network signs up 10 times before it has to wait, refused passwords count too, and other networks do not wait", async () => {
  const ctx = aStranger();
  await expect(signUp(ctx, { ...anApplicant(), password: "password123456" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  // The one that begins the first wait is let through.
  expect(await Promise.all(times(10, () => signUp(ctx, anApplicant())))).toEqual(Array(10).fill({ status: "done" }));
  await lengthenWaits();
  expect(await signUp(ctx, { ...anApplicant(), password: "password123456" })).toMatchObject({
    status: "wait",
    waitSeconds: expect.any(Number),
  });
  expect(await signUp(aStranger(), anApplicant())).toEqual({ status: "done" });
});

test("a network asks for 20 resets before it has to wait, and other networks do not wait", async () => {
  const ctx = aStranger();
  const asked = await Promise.all(times(21, () => requestReset(ctx, anEmail())));
  expect(asked.filter(({ status }) => status === "done")).toHaveLength(21);
  await lengthenWaits();
  expect(await requestReset(ctx, anEmail())).toMatchObject({ status: "wait", waitSeconds: expect.any(Number) });
  expect(await requestReset(aStranger(), anEmail())).toEqual({ status: "done" });
});

test.each([
  ["no business name", { business: "" }],
  ["a name with a line break", { name: "Ada\nObi" }],
  ["a name of 81 characters", { name: "A".repeat(81) }],
  ["a business name of 100,000 characters", { business: "Kitchen ".repeat(12_500) }],
  ["an address that no mail can reach", { email: "adä@shop.example" }],
])("signing up refuses %s, and counts nothing", async (_flaw, changes) => {
  await sql()`delete from sign_in_failures`;
  await expect(signUp(aStranger(), { ...anApplicant(), ...changes })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    errors: [{ param: Object.keys(changes)[0] }],
  });
  expect(await sql()`select 1 from sign_in_failures`).toEqual([]);
});
