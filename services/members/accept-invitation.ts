import { and, eq, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { invitations, members, users } from "#db/schema/tenants.ts";
import { noteInAudit } from "../audit/index.ts";
import type { Role } from "../context.ts";
import { restartPayoutWaits } from "../restart-payout-waits.ts";
import { verb } from "../verb.ts";
import { invitationFromRow } from "./invitation.ts";
import { businessOf, isNamed, type Named, type UserContext } from "./invitations-to-join.ts";
import { lockBusiness } from "./team.ts";

/**
 * `joined`: the person is a member now, or was one before. `ended`: the link is unknown, or the invitation has expired, lapsed, was withdrawn or
 * declined, or was accepted by the person who has left since. `other_email`: it is for another address than that of the person who is signed in.
 */
type Accepted = { status: "joined"; businessId: string; role: Role } | { status: "ended" } | { status: "other_email" };

/**
 * Makes the person who is signed in a member, with the role that the invitation has at this moment. Works once, for the invited email only, which
 * the person has verified. That is the proof, so an id is as good as the token of a link. An existing member keeps their role.
 */
export const acceptInvitation = verb({ actor: ["anyone"] }, async (ctx: UserContext, named: Named): Promise<Accepted> => {
  const isTheOne = isNamed(named);
  const businessId = await businessOf(named);
  if (businessId === undefined) return { status: "ended" };
  const { id: userId } = ctx.actor;
  return transaction(async (tx) => {
    const { roles } = await lockBusiness(tx, businessId);
    // Read again under the lock: it may have been accepted, withdrawn, declined or mailed again meanwhile.
    const [row] = await tx
      .select()
      .from(invitations)
      .where(and(eq(invitations.businessId, businessId), isTheOne));
    const invitation = row && invitationFromRow(row, roles);
    if (!invitation) return { status: "ended" };
    const [user] = await tx.select({ email: users.email, verifiedAt: users.emailVerifiedAt }).from(users).where(eq(users.id, userId));
    if (!user?.verifiedAt || user.email !== invitation.email) return { status: "other_email" };
    const ownRole = roles.get(userId);
    const markAccepted = () =>
      tx
        .update(invitations)
        .set({ acceptedAt: sql`now()` })
        .where(and(eq(invitations.businessId, businessId), isTheOne));
    if (ownRole && (invitation.state === "open" || invitation.state === "accepted")) {
      if (invitation.state === "open") await markAccepted();
      return { status: "joined", businessId, role: ownRole };
    }
    if (invitation.state !== "open") return { status: "ended" };
    const { id, role } = invitation;
    // Bank accounts are locked before invitations, as the denial of a thief's changes does.
    if (role === "owner") await restartPayoutWaits(tx, { businessId });
    await markAccepted();
    await tx.insert(members).values({ businessId, userId, role });
    await noteInAudit(tx, ctx, { businessId, action: "member.joined", subject: userId, after: { role, invitation: id } });
    return { status: "joined", businessId, role };
  });
});
