import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { businesses, invitations, members, users } from "#db/schema/tenants.ts";
import { noteInAudit } from "../audit/index.ts";
import type { Context, Role } from "../context.ts";
import { hashOfToken, type Invitation, invitationFromRow } from "./invitation.ts";
import { lockBusiness, mayGiveRole } from "./team.ts";

/** An invitation as the person sees it whom it invites. */
export interface InvitationToJoin extends Pick<Invitation, "id" | "email" | "role" | "state"> {
  businessId: string;
  businessName: string;
}

/** Returns the invitation of a link, or undefined for an unknown link, also one that a newer mail replaced. Changes nothing. */
export async function findInvitationOfLink(token: string): Promise<InvitationToJoin | undefined> {
  const [found] = await invitationsToJoin(eq(invitations.tokenHash, hashOfToken(token)));
  return found;
}

/** Returns the open invitations for a person's verified email, newest first. */
export async function listOwnInvitations(userId: string): Promise<InvitationToJoin[]> {
  const [user] = await db().select({ email: users.email, verifiedAt: users.emailVerifiedAt }).from(users).where(eq(users.id, userId));
  if (!user?.verifiedAt) return [];
  const found = await invitationsToJoin(
    and(eq(invitations.email, user.email), isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt)),
  );
  return found.filter(({ state }) => state === "open");
}

async function invitationsToJoin(condition: SQL | undefined): Promise<InvitationToJoin[]> {
  const rows = await db()
    .select({ row: invitations, businessName: businesses.name })
    .from(invitations)
    .innerJoin(businesses, eq(businesses.id, invitations.businessId))
    .where(condition)
    .orderBy(desc(invitations.id));
  return rows.map(({ row, businessName }) => {
    const { id, email, role, state } = invitationFromRow(row);
    return { id, email, role, state, businessId: row.businessId, businessName };
  });
}

/** A person who is signed in. */
interface UserContext extends Context {
  actor: { type: "member"; id: string };
}

/**
 * `joined`: the person is a member now, or was one before. `ended`: the link is unknown, or the invitation has expired, was withdrawn, was
 * accepted by the person who has left since, or the member who sent it may not give its role any more. `other_email`: it is for another address than that of the person who is signed in.
 */
type Accepted = { status: "joined"; businessId: string; role: Role } | { status: "ended" } | { status: "other_email" };

/** An invitation by the token of its link, or by its business and id. */
type Named = { token: string } | { businessId: string; id: string };

const isNamed = (named: Named) =>
  "token" in named
    ? eq(invitations.tokenHash, hashOfToken(named.token))
    : and(eq(invitations.businessId, named.businessId), eq(invitations.id, named.id));

/**
 * Makes the person who is signed in a member, with the role that the invitation has at this moment. Works once, for the invited email alone, which
 * the person has verified: that is the proof, so an id does as well as the token of a link. A member keeps the role that they have.
 */
export async function acceptInvitation(ctx: UserContext, named: Named): Promise<Accepted> {
  const isTheOne = isNamed(named);
  const [known] = await db().select({ businessId: invitations.businessId }).from(invitations).where(isTheOne);
  if (!known) return { status: "ended" };
  const { businessId } = known;
  const { id: userId } = ctx.actor;
  return transaction(async (tx) => {
    const { roles } = await lockBusiness(tx, businessId);
    // Read again under the lock: it may have been accepted, withdrawn or mailed again meanwhile.
    const [row] = await tx
      .select()
      .from(invitations)
      .where(and(eq(invitations.businessId, businessId), isTheOne));
    const invitation = row && invitationFromRow(row);
    if (!invitation) return { status: "ended" };
    const [user] = await tx.select({ email: users.email, verifiedAt: users.emailVerifiedAt }).from(users).where(eq(users.id, userId));
    if (!user?.verifiedAt || user.email !== invitation.email) return { status: "other_email" };
    if (invitation.state === "open" && !mayStillInvite(roles, invitation)) return { status: "ended" };
    const held = roles.get(userId);
    if (held && (invitation.state === "open" || invitation.state === "accepted")) {
      if (invitation.state === "open") await markAccepted();
      return { status: "joined", businessId, role: held };
    }
    if (invitation.state !== "open") return { status: "ended" };
    const { id, role } = invitation;
    await markAccepted();
    await tx.insert(members).values({ businessId, userId, role });
    await noteInAudit(tx, ctx, { businessId, action: "member.joined", subject: userId, after: { role, invitation: id } });
    return { status: "joined", businessId, role };

    async function markAccepted(): Promise<void> {
      await tx
        .update(invitations)
        .set({ acceptedAt: sql`now()` })
        .where(and(eq(invitations.businessId, businessId), isTheOne));
    }
  });
}

/** Returns whether the member who sent an invitation may still give its role. What a member sent before losing a role must not bring it back. */
function mayStillInvite(roles: Map<string, Role>, { madeBy, role }: Invitation): boolean {
  if (madeBy.type !== "member") return true;
  const held = roles.get(madeBy.id);
  return held !== undefined && mayGiveRole(held, role);
}
