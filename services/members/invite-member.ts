import { eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { invitations, users } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import { type MemberContext, madeBy, type Role } from "../context.ts";
import { assertLease } from "../idempotency/index.ts";
import { hashOfToken, type Invitation, invitationFromRow, newToken } from "./invitation.ts";
import { endInvitation, linkEnds, mailInvitation, openInvitations } from "./invitation-rows.ts";
import { type LockedTeam, lockTeam, requireMayTouch } from "./team.ts";

/** Open invitations of a business. */
const MAX_OPEN = 50;

/**
 * Invites somebody by mail to join the business of the member who acts. Throws PERMISSION_DENIED for a role above one's own; VALIDATION_ERROR for
 * a member, for an address that has an open invitation, and when 50 are open; RATE_LIMITED when the address was mailed too often.
 */
export async function inviteMember(ctx: MemberContext, { email: given, role }: { email: string; role: Role }): Promise<Invitation> {
  const email = given.trim().toLowerCase();
  return transaction(async (tx) => {
    const team = await lockTeam(tx, ctx);
    requireMayTouch(team, ctx, role);
    await assertLease(tx, ctx);
    const [member] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
    if (member && team.roles.has(member.id)) throw invalid("email", "This person is in the team already.");
    const open = await openInvitations(tx, ctx);
    const before = open.find((invitation) => invitation.email === email);
    // An earlier try of this request stored it and ended without an answer.
    if (before && before.id === ctx.resourceId) return before;
    if (before?.state === "open") throw invalid("email", "This address is invited already. Send that invitation again, or withdraw it.");
    if (open.filter(({ state }) => state === "open").length >= MAX_OPEN) {
      throw invalid("email", `${MAX_OPEN} invitations are open, which is the most. Withdraw one first.`);
    }
    if (before) await endInvitation(tx, ctx, before.id);
    const id = ctx.resourceId ?? newId("invitation");
    const invitation = await store(tx, ctx, team, { id, email, role });
    const { businessId } = ctx.merchant;
    await noteInAudit(tx, ctx, { businessId, action: "invitation.made", subject: invitation.id, after: { email, role } });
    return invitation;
  });
}

async function store(tx: Tx, ctx: MemberContext, team: LockedTeam, { id, email, role }: Pick<Invitation, "id" | "email" | "role">) {
  const token = newToken();
  const [row] = await tx
    .insert(invitations)
    .values({
      ...{ businessId: ctx.merchant.businessId, id, email, role, tokenHash: hashOfToken(token), madeBy: madeBy(ctx) },
      expiresAt: linkEnds(),
    })
    .returning();
  if (!row) throw new Error("an insert without a conflict returned no row");
  const invitation = invitationFromRow(row);
  await mailInvitation(tx, ctx, team, invitation, token);
  return invitation;
}
