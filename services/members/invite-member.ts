import { and, eq, gt, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { invitations, users } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import { type MemberContext, madeBy, type Role } from "../context.ts";
import { assertLease } from "../idempotency/index.ts";
import type { ProvenContext } from "../proven.ts";
import { verb } from "../verb.ts";
import { hashOfToken, type Invitation, invitationFromRow, newToken } from "./invitation.ts";
import { endInvitation, findUnanswered, isInvitation, linkEnds, mailInvitation } from "./invitation-rows.ts";
import { requireUnrestricted } from "./require-unrestricted.ts";
import { type LockedTeam, lockTeam, requireMayTouch } from "./team.ts";

/** The most invitations that a business makes within a day. */
const MAX_A_DAY = 50;

/**
 * Invites a person by mail to join the business of the acting member. Throws PERMISSION_DENIED for a role above one's own and while the member is restricted; VALIDATION_ERROR for
 * a member, for an address that has an open invitation, and when 50 were made within a day; RATE_LIMITED when the address was mailed too often.
 */
export const inviteMember = verb(
  { permission: "team:write", proof: "manage_team" },
  async (ctx: ProvenContext<"manage_team">, { email: given, role }: { email: string; role: Role }): Promise<Invitation> => {
    await requireUnrestricted(ctx);
    const email = given.trim().toLowerCase();
    return transaction(async (tx) => {
      const team = await lockTeam(tx, ctx);
      const stored = await storedBefore(tx, ctx, team);
      if (stored) return stored;
      requireMayTouch(team, ctx, role);
      await assertLease(tx, ctx);
      await requireRoom(tx, ctx);
      const [member] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
      if (member && team.roles.has(member.id)) throw invalid("email", "This person is in the team already.");
      const before = await findUnanswered(tx, ctx, team, email);
      if (before?.state === "open") throw invalid("email", "This address is invited already. Send that invitation again, or withdraw it.");
      if (before) await endInvitation(tx, ctx, before.id);
      const id = ctx.resourceId ?? newId("invitation");
      const invitation = await store(tx, ctx, team, { id, email, role });
      const { businessId } = ctx.merchant;
      await noteInAudit(tx, ctx, { businessId, action: "invitation.made", subject: invitation.id, after: { email, role } });
      return invitation;
    });
  },
);

/** Returns the invitation that an earlier attempt of this request stored, in any state, or undefined. */
async function storedBefore(tx: Tx, ctx: MemberContext, { roles }: LockedTeam): Promise<Invitation | undefined> {
  if (!ctx.resumed || ctx.resourceId === undefined) return undefined;
  const [row] = await tx.select().from(invitations).where(isInvitation(ctx, ctx.resourceId));
  return row && invitationFromRow(row, roles);
}

/** Throws VALIDATION_ERROR where the business has made 50 invitations within a day, withdrawn ones too: each was a mail to a stranger. */
async function requireRoom(tx: Tx, { merchant }: MemberContext): Promise<void> {
  const isYoung = gt(invitations.createdAt, sql`now() - interval '1 day'`);
  const made = await tx.$count(invitations, and(eq(invitations.businessId, merchant.businessId), isYoung));
  if (made >= MAX_A_DAY)
    throw invalid("email", `${MAX_A_DAY} invitations were made within a day, which is the most. Wait, or send an open one again.`);
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
  const invitation = invitationFromRow(row, team.roles);
  await mailInvitation(tx, ctx, team, invitation, token);
  return invitation;
}
