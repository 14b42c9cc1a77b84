import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { invitations, users } from "#db/schema/tenants.ts";
import { noteInAudit } from "../audit/index.ts";
import type { Context } from "../context.ts";
import { verb } from "../verb.ts";
import { type Invitation, invitationFromRow } from "./invitation.ts";
import { businessOf, isNamed, type Named } from "./invitations-to-join.ts";
import { lockBusiness } from "./team.ts";

/**
 * `declined`: now, or earlier. `ended`: the invitation is unknown or no longer open. `other_email`: the invitation was named without its
 * link, by a person who is not signed in with the invited, verified email.
 */
type Declined = "declined" | "ended" | "other_email";

/** The sender of a refusal. */
interface Invited extends Context {
  /** Absent for a person who is not signed in. */
  userId?: string | undefined;
}

/**
 * Declines an open invitation: nobody can accept it any more. Its link is enough, without an account, because declining gives no rights. Without
 * the link, the person who is signed in must have the invited email, verified. Declining again changes nothing.
 */
export const declineInvitation = verb({ actor: ["anyone"] }, async (ctx: Invited, named: Named): Promise<Declined> => {
  const isTheOne = isNamed(named);
  const businessId = await businessOf(named);
  if (businessId === undefined) return "ended";
  return transaction(async (tx) => {
    const { roles } = await lockBusiness(tx, businessId);
    // Read under the lock, so that only one of an acceptance and a refusal at the same time succeeds.
    const [row] = await tx
      .select()
      .from(invitations)
      .where(and(eq(invitations.businessId, businessId), isTheOne));
    const invitation = row && invitationFromRow(row, roles);
    if (!invitation) return "ended";
    if (!("token" in named) && !(await isInvited(tx, ctx, invitation))) return "other_email";
    if (invitation.state === "declined") return "declined";
    if (invitation.state !== "open") return "ended";
    const { id, email, role } = invitation;
    await tx
      .update(invitations)
      .set({ declinedAt: sql`now()` })
      .where(and(eq(invitations.businessId, businessId), eq(invitations.id, id)));
    await noteInAudit(
      tx,
      { ...ctx, actor: { type: "invited", id } },
      { businessId, action: "invitation.declined", subject: id, before: { email, role } },
    );
    return "declined";
  });
});

async function isInvited(tx: Tx, { userId }: Invited, { email }: Invitation): Promise<boolean> {
  if (userId === undefined) return false;
  const [user] = await tx.select({ email: users.email, verifiedAt: users.emailVerifiedAt }).from(users).where(eq(users.id, userId));
  return user?.email === email && user.verifiedAt !== null;
}
