import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "#lib/log.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { signOut } from "../../sessions/index.ts";
import { aMemberContext, aPersonWithCodes, aTicket, codeOf, nextStep, typeCode, wrongCodeFor } from "../factors/two-factor.fixture.ts";
import { signUp, turnOffTwoFactor } from "../index.ts";
import { anApplicant, anEmail, aStranger, aVerifiedUser, PASSWORD, signInAs } from "../users.fixture.ts";

withDatabase();

type Line = [fields: Record<string, unknown>, message: string];
let lines: Line[];
beforeEach(() => {
  lines = [];
  vi.spyOn(log(), "info").mockImplementation((...line: unknown[]) => void lines.push(line as Line));
});
afterEach(() => vi.restoreAllMocks());

/** Returns the fields of the lines with a message. */
const linesOf = (message: string) => lines.filter(([, said]) => said === message).map(([fields]) => fields);

test("each sign-in and each failed one has a log line with the address, the user's id and the method", async () => {
  const email = await aVerifiedUser();
  const [right, wrong, unknown] = [aStranger(), aStranger(), aStranger()];
  const signedIn = await signInAs(email, { ctx: right });
  const userId = signedIn.status === "signed_in" && signedIn.userId;
  await signInAs(email, { ctx: wrong, password: "not the password at all" });
  await signInAs(anEmail(), { ctx: unknown });
  const fieldsOf = ({ address, requestId }: typeof right) => ({ address, requestId, method: "password" });
  expect(linesOf("signed in")).toContainEqual({ ...fieldsOf(right), userId });
  expect(linesOf("sign-in failed")).toEqual([
    { ...fieldsOf(wrong), userId },
    { ...fieldsOf(unknown), userId: undefined },
  ]);
});

test("tries that have to wait, unverified emails and the end of sessions are lines of the log", async () => {
  const applicant = anApplicant();
  await signUp(aStranger(), applicant);
  await signInAs(applicant.email);
  expect(linesOf("sign-in before the email was verified")).toHaveLength(1);
  const email = await aVerifiedUser();
  await Promise.all(times(7, () => signInAs(email, { password: "not the password at all" })));
  expect(linesOf("sign-in refused: too many failures").length).toBeGreaterThan(0);
  const ctx = await aMemberContext(await aVerifiedUser());
  await signOut(ctx, ctx.sessionId);
  const { id: userId } = ctx.actor;
  expect(linesOf("sessions ended")).toContainEqual({ userId, by: userId, address: ctx.address, requestId: null, sessions: 1 });
});

test("second steps, wrong ones too, and changes to them are lines of the log", async () => {
  const { email, ctx, secret } = await aPersonWithCodes();
  const { id: userId } = ctx.actor;
  expect(linesOf("second factor changed")).toContainEqual({ userId, by: userId, address: ctx.address, requestId: null, change: "totp_on" });
  const ticket = await aTicket(email);
  expect(linesOf("the password was right, a second factor is due")).toHaveLength(1);
  await typeCode(ticket, wrongCodeFor(secret));
  expect(linesOf("sign-in failed")).toEqual([expect.objectContaining({ userId, method: "code" })]);
  await typeCode(ticket, codeOf(secret));
  expect(linesOf("signed in")).toContainEqual(expect.objectContaining({ userId, method: "code" }));
  await turnOffTwoFactor(ctx, { password: PASSWORD, code: wrongCodeFor(secret) }).catch(() => undefined);
  await turnOffTwoFactor(ctx, { password: "not the password at all", code: "123456" }).catch(() => undefined);
  expect(linesOf("a code was wrong")).toEqual([expect.objectContaining({ userId, address: ctx.address })]);
  expect(linesOf("a repeated password was wrong")).toEqual([expect.objectContaining({ userId, address: ctx.address })]);
});

test("no line of signing in has an email, a password, a code or a token", async () => {
  const { email, ctx, secret, recoveryCodes } = await aPersonWithCodes();
  await nextStep(ctx.actor.id);
  const [ticket, code, wrong] = [await aTicket(email), codeOf(secret), wrongCodeFor(secret)];
  await typeCode(ticket, wrong);
  const signedIn = await typeCode(ticket, code);
  if (signedIn.status !== "signed_in") throw new Error(signedIn.status);
  await signInAs(email, { password: "not the password at all" });
  const text = JSON.stringify(lines);
  expect(lines.length).toBeGreaterThan(5);
  const secrets = [email, PASSWORD, "not the password at all", secret, ticket, signedIn.token, signedIn.device, ...recoveryCodes];
  for (const each of secrets) expect(text).not.toContain(each);
  for (const each of [code, wrong]) expect(text).not.toMatch(new RegExp(`"${each}"`));
});
