import { sql } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { Role } from "../context.ts";
import { textOf } from "../mails/mails.fixture.ts";
import { aMerchant, anOperator } from "../merchants/merchant.fixture.ts";
import { withProof } from "../proven.ts";
import { inviteMember } from "./index.ts";
import { aMember, asMember } from "./member.fixture.ts";

let made = 0;
export const anEmail = () => `invited-${process.pid}-${made++}@people.example`;
export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => {
      if (!(error instanceof Problem)) throw error;
      return error.code;
    },
  );

export async function aTeam(role: Role = "owner") {
  const { merchant, ctx } = await aMerchant();
  const member = withProof(asMember(ctx, await aMember(merchant.businessId, role)), "manage_team");
  return { ctx: member, businessId: merchant.businessId };
}

/** A person with an account who is in no business. */
export async function aPerson(email: string, { verified = true } = {}) {
  const { merchant } = await aMerchant();
  const { userId } = await aMember(merchant.businessId, "viewer");
  await sql()`update users set email = ${email}, email_verified_at = ${verified ? new Date().toISOString() : null} where id = ${userId}`;
  return { ...anOperator, actor: { type: "member" as const, id: userId } };
}

/** Returns the tokens of the links that were mailed to an address, oldest first. */
export async function tokensOf(email: string): Promise<string[]> {
  const rows = await sql()<{ id: string }[]>`select id from mails where recipient = ${email} and kind = 'invitation' order by id`;
  const texts = await Promise.all(rows.map(({ id }) => textOf(id)));
  return texts.map((text) => /invitations\?token=([\w-]+)/.exec(text)?.[1] ?? "");
}
export const tokenOf = async (email: string) => (await tokensOf(email)).at(-1) ?? "";
export const roleIn = async (businessId: string, userId: string) =>
  (await sql()<{ role: Role }[]>`select role from members where business_id = ${businessId} and user_id = ${userId}`)[0]?.role;
export const passMinutes = (minutes: number) => sql()`
  update invitations set sent_at = sent_at - ${minutes} * interval '1 minute', expires_at = expires_at - ${minutes} * interval '1 minute'`;

export async function anInvitation({ role = "support" as Role } = {}) {
  const team = await aTeam();
  const email = anEmail();
  const invitation = await inviteMember(team.ctx, { email: ` ${email.toUpperCase()} `, role });
  return { ...team, email, invitation, token: await tokenOf(email) };
}
