import { expect, test } from "vitest";
import { cookiesOf, saidBy } from "#app/_people/form.fixture.ts";
import { sql } from "#db/client.ts";
import { cookieIn } from "#lib/cookies.ts";
import { settings } from "#lib/env.ts";
import { PEER_HEADER } from "#lib/peer.ts";
import { findSession } from "#services/sessions/index.ts";
import { aPersonWithCodes } from "#services/users/factors/two-factor.fixture.ts";
import { signUp } from "#services/users/index.ts";
import { anApplicant, aStranger, PASSWORD, signInAs, tokenMailedTo } from "#services/users/users.fixture.ts";
import { withDatabase } from "#testing/database.ts";
import { POST } from "./route.ts";

withDatabase();

/** Sends the form with a token and a password, from an address of its own. */
function send(token: string, password: string, { address = aStranger().address ?? "" } = {}) {
  const { origin } = new URL(settings().DASHBOARD_URL);
  const body = new URLSearchParams({ token, password });
  return POST(new Request(`${origin}/verify/send`, { method: "POST", headers: { origin, [PEER_HEADER]: address }, body }), undefined);
}
const leadsTo = ({ status, headers }: Response) => [status, headers.get("location")];

async function anUnverifiedUser() {
  const applicant = anApplicant();
  await signUp(aStranger(), applicant);
  return { ...applicant, token: await tokenMailedTo(applicant.email, "verify_email") };
}

test("the link and the password sign in, and a second time the link leads to the sign-in page", async () => {
  const { token } = await anUnverifiedUser();
  const answer = await send(token, PASSWORD);
  expect(leadsTo(answer)).toEqual([303, "/test"]);
  expect(await findSession(cookieIn(cookiesOf(answer), "session") ?? "")).toBeDefined();
  expect(cookieIn(cookiesOf(answer), "device")).toMatch(/^[\w-]{43}$/);
  const again = await send(token, PASSWORD);
  expect(leadsTo(again)).toEqual([303, "/sign-in"]);
  expect(saidBy(again)).toMatchObject({
    form: "sign-in",
    notice: { kind: "warning", text: expect.stringContaining("does not work any more") },
  });
});

test("a wrong password leads back to the form with the token, and after too many the form says how long to wait", async () => {
  const { token } = await anUnverifiedUser();
  const wrong = await send(token, "not the password at all");
  expect(leadsTo(wrong)).toEqual([303, `/verify?token=${token}`]);
  expect(saidBy(wrong)).toMatchObject({
    form: "verify",
    errors: { password: expect.stringContaining("not the password of this account") },
  });
  expect(cookieIn(cookiesOf(wrong), "session")).toBeUndefined();
  for (let tries = 0; tries < 5; tries++) await send(token, "not the password at all");
  await sql()`update sign_in_failures set blocked_until = now() + interval '10 minutes' where blocked_until > 'epoch'`;
  const waiting = await send(token, PASSWORD);
  expect(leadsTo(waiting)).toEqual([303, `/verify?token=${token}`]);
  expect(saidBy(waiting)).toMatchObject({ form: "verify", notice: { kind: "danger", text: expect.stringContaining("Wait 10 minutes") } });
});

test("a person with codes gets the page of the second step and no session", async () => {
  const { email, ctx } = await aPersonWithCodes();
  await sql()`update users set email_verified_at = null where id = ${ctx.actor.id}`;
  await sql()`update user_tokens set created_at = created_at - interval '3 minutes'`;
  await signInAs(email);
  const answer = await send(await tokenMailedTo(email, "verify_email"), PASSWORD);
  expect(leadsTo(answer)).toEqual([303, "/sign-in/code?by=code"]);
  expect(cookieIn(cookiesOf(answer), "ticket")).toMatch(/^[\w-]{43}$/);
  expect(cookieIn(cookiesOf(answer), "session")).toBeUndefined();
});
