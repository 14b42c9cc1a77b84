import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { businesses, invitations, members, users } from "#db/schema/tenants.ts";
import type { Context } from "../context.ts";
import { hashOfToken, type Invitation, invitationFromRow } from "./invitation.ts";
import { isUnanswered } from "./invitation-rows.ts";

/** An invitation with the fields that the invited person sees. */
export interface InvitationToJoin extends Pick<Invitation, "id" | "email" | "role" | "state"> {
  businessId: string;
  businessName: string;
}

/** A person who is signed in. */
export interface UserContext extends Context {
  actor: { type: "member"; id: string };
}

/** An invitation by the token of its link, or by its business and id. */
export type Named = { token: string } | { businessId: string; id: string };

/** The condition on a named invitation. */
export const isNamed = (named: Named) =>
  "token" in named
    ? eq(invitations.tokenHash, hashOfToken(named.token))
    : and(eq(invitations.businessId, named.businessId), eq(invitations.id, named.id));

/** Returns the business of an invitation, or undefined for an unknown one or for a link that a newer mail replaced. */
export async function businessOf(named: Named): Promise<string | undefined> {
  const [known] = await db().select({ businessId: invitations.businessId }).from(invitations).where(isNamed(named));
  return known?.businessId;
}

/** Returns the invitation of a link, or undefined for an unknown link or one that a newer mail replaced. Changes nothing. */
export async function findInvitationOfLink(token: string): Promise<InvitationToJoin | undefined> {
  const [found] = await invitationsToJoin(isNamed({ token }));
  return found;
}

/** Returns the open invitations for a person's verified email, newest first. */
export async function listOwnInvitations(userId: string): Promise<InvitationToJoin[]> {
  const [user] = await db().select({ email: users.email, verifiedAt: users.emailVerifiedAt }).from(users).where(eq(users.id, userId));
  if (!user?.verifiedAt) return [];
  const found = await invitationsToJoin(and(eq(invitations.email, user.email), isUnanswered));
  return found.filter(({ state }) => state === "open");
}

async function invitationsToJoin(condition: SQL | undefined): Promise<InvitationToJoin[]> {
  const isSender = and(eq(members.businessId, invitations.businessId), eq(invitations.madeBy, sql`'member:' || ${members.userId}`));
  const rows = await db()
    .select({ row: invitations, businessName: businesses.name, sender: members })
    .from(invitations)
    .innerJoin(businesses, eq(businesses.id, invitations.businessId))
    .leftJoin(members, isSender)
    .where(condition)
    .orderBy(desc(invitations.id));
  return rows.map(({ row, businessName, sender }) => {
    const { id, email, role, state } = invitationFromRow(row, new Map(sender ? [[sender.userId, sender.role]] : []));
    return { id, email, role, state, businessId: row.businessId, businessName };
  });
}
