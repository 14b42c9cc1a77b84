import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { members } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import type { MemberContext, Role } from "../context.ts";
import { lockTeam, requireAnotherOwner, requireMayTouch, roleOf } from "./team.ts";

/**
 * Takes a member out of the business: every process refuses the person there within a second. Keys that the person made stay. Throws
 * RESOURCE_NOT_FOUND for somebody who is not a member, PERMISSION_DENIED for a role above one's own, and VALIDATION_ERROR for oneself.
 */
export async function removeMember(ctx: MemberContext, userId: string): Promise<void> {
  if (userId === ctx.actor.id) throw invalid("id", "To take yourself out, leave the business.");
  await transaction(async (tx) => {
    const team = await lockTeam(tx, ctx);
    const role = roleOf(team, userId);
    requireMayTouch(team, ctx, role);
    await take(tx, ctx, { userId, role, action: "member.removed" });
  });
}

/** Takes the member who acts out of the business. Throws VALIDATION_ERROR for the last owner. */
export async function leaveBusiness(ctx: MemberContext): Promise<void> {
  const { id: userId } = ctx.actor;
  await transaction(async (tx) => {
    const team = await lockTeam(tx, ctx);
    if (team.ownRole === "owner") requireAnotherOwner(team, userId, "id");
    await take(tx, ctx, { userId, role: team.ownRole, action: "member.left" });
  });
}

async function take(tx: Tx, ctx: MemberContext, { userId, role, action }: { userId: string; role: Role; action: string }): Promise<void> {
  const { businessId } = ctx.merchant;
  await tx.delete(members).where(and(eq(members.businessId, businessId), eq(members.userId, userId)));
  await noteInAudit(tx, ctx, { businessId, action, subject: userId, before: { role } });
}
