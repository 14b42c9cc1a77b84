import { and, eq, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { invitations, users } from "#db/schema/tenants.ts";
import { settings } from "#lib/env.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MemberContext } from "../context.ts";
import { countQueued, LINK_WORKS_FOR_MS, queueMail } from "../mails/index.ts";
import { type Invitation, invitationFromRow } from "./invitation.ts";
import { type LockedTeam, readRoles, requireMayTouch } from "./team.ts";

/** The condition on an invitation of the business. */
export const isInvitation = ({ merchant }: MemberContext, id: string) =>
  and(eq(invitations.businessId, merchant.businessId), eq(invitations.id, id));

/** When a link that is mailed now ends. */
export const linkEnds = () => sql`now() + ${LINK_WORKS_FOR_MS.invitation} * interval '1 ms'`;

/** The condition on an invitation that was neither accepted nor withdrawn nor declined. */
export const isUnanswered = sql`num_nonnulls(${invitations.acceptedAt}, ${invitations.withdrawnAt}, ${invitations.declinedAt}) = 0`;

/** Returns the invitation of an address that was neither accepted nor withdrawn nor declined. It may have expired or lapsed. */
export async function findUnanswered(
  tx: Tx,
  { merchant }: MemberContext,
  { roles }: LockedTeam,
  email: string,
): Promise<Invitation | undefined> {
  const [row] = await tx
    .select()
    .from(invitations)
    .where(and(eq(invitations.businessId, merchant.businessId), eq(invitations.email, email), isUnanswered));
  return row && invitationFromRow(row, roles);
}

/** Returns an invitation of the business. Throws RESOURCE_NOT_FOUND. */
export const getInvitation = async (ctx: MemberContext, id: string): Promise<Invitation> =>
  readInvitation(db(), ctx, { roles: await readRoles(db(), ctx.merchant.businessId) }, id);

/** As `getInvitation`, in the caller's transaction. */
export async function readInvitation(
  reader: Tx | Database,
  ctx: MemberContext,
  { roles }: Pick<LockedTeam, "roles">,
  id: string,
): Promise<Invitation> {
  const [row] = await reader.select().from(invitations).where(isInvitation(ctx, id));
  if (!row) throw notFound("invitation");
  return invitationFromRow(row, roles);
}

/** As `getInvitation`. Throws PERMISSION_DENIED for a role above one's own, and VALIDATION_ERROR where it was accepted, withdrawn or declined. */
export async function requireEndable(tx: Tx, ctx: MemberContext, team: LockedTeam, id: string): Promise<Invitation> {
  const invitation = await readInvitation(tx, ctx, team, id);
  requireMayTouch(team, ctx, invitation.role);
  if (invitation.state === "accepted") throw invalid("id", "This invitation was accepted.");
  if (invitation.state === "declined")
    throw invalid("id", "The person has declined this invitation. Make another one, if they ask for it.");
  if (invitation.state === "withdrawn") throw invalid("id", "This invitation was withdrawn. Make another one.");
  return invitation;
}

/** Ends an invitation: its link no longer works. */
export async function endInvitation(tx: Tx, ctx: MemberContext, id: string): Promise<void> {
  await tx.update(invitations).set({ withdrawnAt: sql`now()` }).where(isInvitation(ctx, id));
}

/** The most invitations of all businesses that one address gets within a day, because its owner may not want them. */
const MAX_MAILS_A_DAY = 5;

/** Mails the link. Throws RATE_LIMITED when the address had five invitations within a day. */
export async function mailInvitation(
  tx: Tx,
  ctx: MemberContext,
  { businessName }: LockedTeam,
  { email, role }: Invitation,
  token: string,
): Promise<void> {
  if ((await countQueued(tx, { to: email, kinds: ["invitation"] }, DAY_MS)) >= MAX_MAILS_A_DAY) {
    throw new Problem("RATE_LIMITED", "This address got too many invitations today. Send it again tomorrow.", {
      headers: { "Retry-After": String(DAY_MS / 1_000) },
    });
  }
  const [member] = await tx.select({ name: users.name }).from(users).where(eq(users.id, ctx.actor.id));
  const link = `${settings().DASHBOARD_URL}/invitations?token=${token}`;
  await queueMail(tx, ctx, { to: email, kind: "invitation", words: { name: member?.name ?? "", business: businessName, role, link } });
}
