import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import {
  aPersonWithCodes,
  aTicket,
  codeOf,
  nextStep,
  type TestPerson,
  turnCodesOn,
  typeCode,
  wrongCodeFor,
} from "../factors/two-factor.fixture.ts";
import { purgeOldSignInTries, requestReset, resetPassword, signUp, turnOffTwoFactor } from "../index.ts";
import { requirePassword } from "../proof/require-password.ts";
import { anApplicant, aStranger, lengthenWaits, mailsTo, PASSWORD, signInAs, tokenMailedTo, verifyAs } from "../users.fixture.ts";

withDatabase();

const statusesOf = (results: { status: string }[], status: string) => results.filter((each) => each.status === status);
const openSessionsOf = async ({ ctx }: TestPerson) => {
  const [row] = await sql()<{ n: number }[]>`select count(*)::int as n from sessions where user_id = ${ctx.actor.id} and ended_at is null`;
  return row?.n;
};
const ticketsOf = ({ ctx }: TestPerson) => sql()`select hash from sign_in_tickets where user_id = ${ctx.actor.id}`;

test("with codes on, the right password begins no session, and the code after it does", async () => {
  const person = await aPersonWithCodes();
  const before = await openSessionsOf(person);
  const first = await signInAs(person.email);
  expect(first).toEqual({ status: "second_factor", ticket: expect.stringMatching(/^[\w-]{43}$/), factors: ["code"] });
  expect(await openSessionsOf(person)).toBe(before);
  const ticket = await aTicket(person.email);
  const entered = await typeCode(ticket, codeOf(person.secret));
  expect(entered).toMatchObject({ status: "signed_in", method: "code", userId: person.ctx.actor.id });
  expect(entered).not.toHaveProperty("recoveryCodesLeft");
  expect(await openSessionsOf(person)).toBe((before ?? 0) + 1);
});

test("neither a code nor a recovery code replaces the password, and a wrong password gets no ticket", async () => {
  const person = await aPersonWithCodes();
  for (const password of ["not the password at all", codeOf(person.secret), person.recoveryCodes[0] ?? ""]) {
    expect(await signInAs(person.email, { password })).toEqual({ status: "wrong" });
  }
  expect(await ticketsOf(person)).toEqual([]);
  expect(await typeCode("x".repeat(43), codeOf(person.secret))).toEqual({ status: "expired" });
});

test("a code with a space in it counts, and a wrong one leaves the ticket usable", async () => {
  const person = await aPersonWithCodes();
  const ticket = await aTicket(person.email);
  for (const code of [wrongCodeFor(person.secret), "", "12345", "x".repeat(5_000), "AAAA-AAAA-AAAA-AAAA"]) {
    expect(await typeCode(ticket, code)).toEqual({ status: "wrong" });
  }
  await sql()`delete from sign_in_failures`;
  const code = codeOf(person.secret);
  expect(await typeCode(ticket, ` ${code.slice(0, 3)} ${code.slice(3)} `)).toMatchObject({ status: "signed_in", method: "code" });
});

test("a code works once: a second use is wrong, and of five uses at once, each with its own ticket, one signs in", async () => {
  const person = await aPersonWithCodes();
  const tickets = await Promise.all(times(5, () => aTicket(person.email)));
  const code = codeOf(person.secret);
  const results = await Promise.all(tickets.map((ticket) => typeCode(ticket, code)));
  expect(statusesOf(results, "signed_in")).toHaveLength(1);
  expect(statusesOf(results, "wrong")).toHaveLength(4);
  await sql()`delete from sign_in_failures`;
  expect(await typeCode(await aTicket(person.email), code)).toEqual({ status: "wrong" });
  await nextStep(person.ctx.actor.id);
  expect(await typeCode(await aTicket(person.email), codeOf(person.secret))).toMatchObject({ status: "signed_in" });
});

test("a code is refused after a code of a later time step was used", async () => {
  const person = await aPersonWithCodes();
  await sql()`update totp_secrets set last_step = floor(extract(epoch from now()) / 30) + 2 where user_id = ${person.ctx.actor.id}`;
  expect(await typeCode(await aTicket(person.email), codeOf(person.secret))).toEqual({ status: "wrong" });
});

test("each of the ten recovery codes works once, however it is written, and says how many are left", async () => {
  const person = await aPersonWithCodes();
  expect(new Set(person.recoveryCodes).size).toBe(10);
  const spellings = [
    (code: string) => code,
    (code: string) => code.toLowerCase(),
    (code: string) => code.replaceAll("-", ""),
    (code: string) => ` ${code.replaceAll("-", " ")} `,
    (code: string) => code.replaceAll("0", "o").replaceAll("1", "l"),
  ];
  for (const [i, code] of person.recoveryCodes.entries()) {
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const typed = spellings[i % spellings.length]?.(code) ?? "";
    const entered = await typeCode(await aTicket(person.email), typed);
    expect(entered).toMatchObject({ status: "signed_in", method: "recovery_code", recoveryCodesLeft: 9 - i });
    expect(await typeCode(await aTicket(person.email), typed)).toEqual({ status: "wrong" });
  }
});

test("one recovery code used twice at once works once", async () => {
  const person = await aPersonWithCodes();
  const tickets = [await aTicket(person.email), await aTicket(person.email)];
  const [code = ""] = person.recoveryCodes;
  const results = await Promise.all(tickets.map((ticket) => typeCode(ticket, code)));
  expect(statusesOf(results, "signed_in")).toHaveLength(1);
  expect(statusesOf(results, "wrong")).toHaveLength(1);
});

test("a recovery code of somebody else is wrong", async () => {
  const [person, other] = [await aPersonWithCodes(), await aPersonWithCodes()];
  expect(await typeCode(await aTicket(person.email), other.recoveryCodes[0] ?? "")).toEqual({ status: "wrong" });
});

test("a ticket works once, even for five recovery codes at once, and uses up only one of them", async () => {
  const person = await aPersonWithCodes();
  const ticket = await aTicket(person.email);
  const results = await Promise.all(person.recoveryCodes.slice(0, 5).map((code) => typeCode(ticket, code)));
  expect(statusesOf(results, "signed_in")).toHaveLength(1);
  expect(statusesOf(results, "expired")).toHaveLength(4);
  const [used] = await sql()<{ n: number }[]>`
    select count(*)::int as n from recovery_codes where user_id = ${person.ctx.actor.id} and used_at is not null`;
  expect(used?.n).toBe(1);
});

test("a ticket ends after ten minutes, and is for its own user alone", async () => {
  const [person, other] = [await aPersonWithCodes(), await aPersonWithCodes()];
  const ticket = await aTicket(person.email);
  expect(await typeCode(ticket, codeOf(other.secret))).toEqual({ status: "wrong" });
  const [row] = await sql()<{ minutes: number }[]>`
    select round(extract(epoch from expires_at - created_at) / 60)::int as minutes from sign_in_tickets where user_id = ${person.ctx.actor.id}`;
  expect(row?.minutes).toBe(10);
  await sql()`update sign_in_tickets set expires_at = now() - interval '1 second'`;
  expect(await typeCode(ticket, codeOf(person.secret))).toEqual({ status: "expired" });
});

test("of 50 wrong codes at once no more are looked at than the free tries, however often the password is repeated between them", async () => {
  const person = await aPersonWithCodes();
  const ticket = await aTicket(person.email);
  const wrong = wrongCodeFor(person.secret);
  const guesses = await Promise.all(times(50, () => typeCode(ticket, wrong)));
  expect(statusesOf(guesses, "wrong").length).toBeGreaterThanOrEqual(5);
  expect(statusesOf(guesses, "wrong").length).toBeLessThanOrEqual(8);
  expect(statusesOf(guesses, "wait")).toHaveLength(50 - statusesOf(guesses, "wrong").length);

  const other = await aPersonWithCodes();
  const guess = wrongCodeFor(other.secret);
  let lookedAt = 0;
  for (let round = 0; round < 20; round++) {
    const again = await signInAs(other.email);
    if (again.status !== "second_factor") break;
    const results = await Promise.all(times(5, () => typeCode(again.ticket, guess)));
    lookedAt += statusesOf(results, "wrong").length;
  }
  expect(lookedAt).toBeGreaterThanOrEqual(5);
  expect(lookedAt).toBeLessThanOrEqual(8);
  await lengthenWaits();
  // The right code has to wait too.
  expect(await typeCode(ticket, codeOf(person.secret))).toMatchObject({ status: "wait" });
});

test("waits after wrong codes grow, although the right password is repeated after each", async () => {
  const person = await aPersonWithCodes();
  const wrong = wrongCodeFor(person.secret);
  const waits: number[] = [];
  for (let tries = 0; waits.length < 4 && tries < 20; tries++) {
    const ticket = await aTicket(person.email);
    await typeCode(ticket, wrong);
    const next = await typeCode(ticket, wrong);
    if (next.status === "wait") waits.push(next.waitSeconds);
    await sql()`update sign_in_failures set blocked_until = now() - interval '1 second'`;
  }
  expect(waits).toEqual([4, 8, 16, 32]);
});

test("a right code clears the count of failures, and a known browser does not wait because of strangers' guesses", async () => {
  const person = await aPersonWithCodes();
  const own = await typeCode(await aTicket(person.email), codeOf(person.secret));
  if (own.status !== "signed_in") throw new Error(own.status);
  const ticket = await aTicket(person.email);
  const wrong = wrongCodeFor(person.secret);
  await Promise.all(times(20, () => typeCode(ticket, wrong)));
  await lengthenWaits();
  expect(await signInAs(person.email)).toMatchObject({ status: "wait" });
  await nextStep(person.ctx.actor.id);
  const { device } = own;
  const again = await typeCode(await aTicket(person.email, { device }), codeOf(person.secret), { device });
  expect(again).toMatchObject({ status: "signed_in", device });
  await sql()`update sign_in_failures set blocked_until = now() - interval '1 second'`;
  await nextStep(person.ctx.actor.id);
  expect(await typeCode(await aTicket(person.email), codeOf(person.secret))).toMatchObject({ status: "signed_in" });
  const guesses = await Promise.all(times(20, async () => typeCode(ticket, wrong)));
  expect(statusesOf(guesses, "wrong").length).toBeGreaterThanOrEqual(5);
});

test("a repeated password that is right gives a session no new tries at codes", async () => {
  const person = await aPersonWithCodes();
  const proof = { password: PASSWORD, code: wrongCodeFor(person.secret) };
  const codes: string[] = [];
  for (let i = 0; i < 25; i++) {
    await turnOffTwoFactor(person.ctx, proof).catch(({ code }) => codes.push(code));
    await requirePassword(person.ctx, PASSWORD).catch(() => undefined);
    await lengthenWaits();
  }
  expect(codes.filter((code) => code === "VALIDATION_ERROR").length).toBeLessThanOrEqual(18);
  expect(codes.at(-1)).toBe("RATE_LIMITED");
});

test("a reset of the password leaves codes on, and ends sessions and sign-ins that wait for a code", async () => {
  const person = await aPersonWithCodes();
  const ticket = await aTicket(person.email);
  await requestReset(aStranger(), person.email);
  const password = "another phrase of many words";
  expect(await resetPassword(aStranger(), await tokenMailedTo(person.email, "reset_password"), password)).toMatchObject({
    status: "changed",
  });
  expect(await openSessionsOf(person)).toBe(0);
  expect(await typeCode(ticket, codeOf(person.secret))).toEqual({ status: "expired" });
  expect(await signInAs(person.email)).toEqual({ status: "wrong" });
  const renewed = await aTicket(person.email, { password });
  expect(await typeCode(renewed, codeOf(person.secret))).toMatchObject({ status: "signed_in", method: "code" });
});

test("a sign-in with a second browser is told by mail, and one with a known browser or the first is not", async () => {
  const applicant = anApplicant();
  const { email } = applicant;
  await signUp(aStranger(), applicant);
  const first = await verifyAs(await tokenMailedTo(email, "verify_email"));
  if (first.status !== "verified") throw new Error(first.status);
  const newDevices = async () => (await mailsTo(email)).filter(({ kind }) => kind === "new_device");
  await signInAs(email, { device: first.device });
  expect(await newDevices()).toHaveLength(0);
  const { ctx, secret } = await turnCodesOn(email);
  expect(await newDevices()).toHaveLength(1);
  const second = await typeCode(await aTicket(email), codeOf(secret));
  if (second.status !== "signed_in") throw new Error(second.status);
  expect(await newDevices()).toHaveLength(2);
  expect((await newDevices()).at(-1)?.text).toContain("Browser: “Test browser”");
  await nextStep(ctx.actor.id);
  const { device } = second;
  await typeCode(await aTicket(email, { device }), codeOf(secret), { device });
  expect(await newDevices()).toHaveLength(2);
});

test("a link that verifies the email of a person with codes signs in only after a code", async () => {
  const person = await aPersonWithCodes();
  await sql()`update users set email_verified_at = null where id = ${person.ctx.actor.id}`;
  // The next link is not too early.
  await sql()`update user_tokens set created_at = created_at - interval '3 minutes'`;
  expect(await signInAs(person.email)).toEqual({ status: "unverified" });
  const before = await openSessionsOf(person);
  const verified = await verifyAs(await tokenMailedTo(person.email, "verify_email"));
  expect(verified).toEqual({ status: "second_factor", ticket: expect.stringMatching(/^[\w-]{43}$/), factors: ["code"] });
  expect(await openSessionsOf(person)).toBe(before);
  if (verified.status !== "second_factor") throw new Error(verified.status);
  expect(await typeCode(verified.ticket, codeOf(person.secret))).toMatchObject({ status: "signed_in" });
});

test("a reset of the password gives no new tries at codes", async () => {
  const person = await aPersonWithCodes();
  const ticket = await aTicket(person.email);
  await Promise.all(times(20, () => typeCode(ticket, wrongCodeFor(person.secret))));
  await lengthenWaits();
  await requestReset(aStranger(), person.email);
  const password = "another phrase of many words";
  expect(await resetPassword(aStranger(), await tokenMailedTo(person.email, "reset_password"), password)).toMatchObject({
    status: "changed",
  });
  expect(await signInAs(person.email, { password })).toMatchObject({ status: "wait" });
});

test("no table has a ticket, a recovery code or a secret in the clear", async () => {
  const person = await aPersonWithCodes();
  const ticket = await aTicket(person.email);
  const tables = ["totp_secrets", "recovery_codes", "sign_in_tickets", "mails", "sign_in_failures"];
  const rows = JSON.stringify(await Promise.all(tables.map((table) => sql()`select * from ${sql()(table)}`)), (_key, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  for (const secret of [ticket, person.secret, ...person.recoveryCodes, ...person.recoveryCodes.map((code) => code.replaceAll("-", ""))]) {
    expect(rows).not.toContain(secret);
  }
});

test("tickets that have ended are deleted, and open ones are not", async () => {
  const person = await aPersonWithCodes();
  await aTicket(person.email);
  await sql()`update sign_in_tickets set expires_at = now() - interval '1 second'`;
  await aTicket(person.email);
  expect(await purgeOldSignInTries(systemContext("test"))).toBeGreaterThan(0);
  expect(await ticketsOf(person)).toHaveLength(1);
});

test("a code is accepted with a hyphen of any kind and between direction marks, as messengers copy it, and a recovery code too", async () => {
  const person = await aPersonWithCodes();
  const [first = "", second = ""] = person.recoveryCodes;
  const code = codeOf(person.secret);
  expect(await typeCode(await aTicket(person.email), `${code.slice(0, 3)}-${code.slice(3)}`)).toMatchObject({ status: "signed_in" });
  for (const [typed, method] of [
    [`\u202a${first.replaceAll("-", "\u2011")}\u202c`, "recovery_code"],
    [second.toLowerCase().replaceAll("-", "\u2013"), "recovery_code"],
  ] as const)
    expect(await typeCode(await aTicket(person.email), typed)).toMatchObject({ status: "signed_in", method });
});
