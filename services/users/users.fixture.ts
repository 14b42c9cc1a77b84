import { sql } from "#db/client.ts";
import { hashPassword } from "#lib/passwords.ts";
import { open } from "#lib/sealed.ts";
import { type Context, type Role, strangerContext } from "../context.ts";
import { aMember, type TestMember } from "../members/member.fixture.ts";
import { signIn, signUp, verifyEmail } from "./index.ts";

export const PASSWORD = "seven lorries of ripe plantain";

let made = 0;

/** The context of a person who is not signed in, from a network of their own, which other processes on the same database do not use either. */
export const aStranger = (): Context =>
  strangerContext("sign-in", { requestId: null, address: `3fff:${(process.pid & 0xfff).toString(16)}:${(++made).toString(16)}::1` });

export const anEmail = (): string => `ada-${process.pid}-${++made}@shop.example`;

export const anApplicant = (email = anEmail()) => ({ name: "Ada Obi", business: "Ada's Kitchen", email, password: PASSWORD });

interface Mail {
  kind: string;
  text: string;
}

/** Returns the mails that wait for an address, oldest first. */
export async function mailsTo(email: string): Promise<Mail[]> {
  const rows = await sql()<{ id: string; kind: string; sealed_body: string }[]>`
    select id, kind, sealed_body from mails where recipient = ${email} and sealed_body is not null order by id`;
  return rows.map(({ id, kind, sealed_body }) => ({ kind, text: JSON.parse(open("mail-body", sealed_body, id)).text }));
}

/** Returns the token of the link in the last mail of a kind. Throws an Error if there is no such mail. */
export async function tokenMailedTo(email: string, kind: string): Promise<string> {
  const mail = (await mailsTo(email)).findLast((each) => each.kind === kind);
  const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`no ${kind} for ${email}`);
  return token;
}

/** Returns the code of the last mail that has one. */
export async function codeMailedTo(email: string): Promise<string> {
  const mail = (await mailsTo(email)).findLast(({ kind }) => kind === "first_factor_code");
  const [, first, last] = /Code: (\d{4}) (\d{4})/.exec(mail?.text ?? "") ?? [];
  if (first === undefined || last === undefined) throw new Error(`no code for ${email}`);
  return `${first}${last}`;
}

/** Confirms an email by a link, by default with the right password and from a browser that is not known. */
export const verifyAs = (token: string, { password = PASSWORD, device = null as string | null, ctx = aStranger() } = {}) =>
  verifyEmail(ctx, { token, password, device, session: null, userAgent: "Test browser" });

/** Signs a person up and verifies the email, in a browser that is not used again. Returns the email. */
export async function aVerifiedUser(changes: Partial<ReturnType<typeof anApplicant>> = {}): Promise<string> {
  const applicant = { ...anApplicant(), ...changes };
  await signUp(aStranger(), applicant);
  const { password } = applicant;
  const verified = await verifyAs(await tokenMailedTo(applicant.email, "verify_email"), { password });
  if (verified.status !== "verified") throw new Error(verified.status);
  return applicant.email;
}

/** Signs in from a new network, by default with the right password and from a browser that is not known. */
export const signInAs = (
  email: string,
  { password = PASSWORD, device = null as string | null, session = null as string | null, ctx = aStranger() } = {},
) => signIn(ctx, { email, password, device, session, userAgent: "Test browser" });

/** Lengthens the present waits after failures, so that they do not end during a test on a slow machine. Starts no wait. */
export const lengthenWaits = () =>
  sql()`update sign_in_failures set blocked_until = now() + interval '1 hour' where blocked_until > 'epoch'`;

let passwordHash: Promise<string> | undefined;

/** Signs in a person with a role in a business, whose password is `PASSWORD` and whose email is verified unless said otherwise. */
export async function aMemberWithPassword(businessId: string, role: Role, { verified = true } = {}): Promise<TestMember> {
  const member = await aMember(businessId, role);
  passwordHash ??= hashPassword(PASSWORD);
  await sql()`
    update users set password_hash = ${await passwordHash}, email_verified_at = case when ${verified} then now() end where id = ${member.userId}`;
  return member;
}
