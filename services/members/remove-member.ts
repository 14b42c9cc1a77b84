import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { members } from "#db/schema/tenants.ts";
import { invalid, notFound } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import type { MemberContext, Role } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import type { ProvenContext } from "../proven.ts";
import { restartPayoutWaits } from "../restart-payout-waits.ts";
import { verb } from "../verb.ts";
import { findLeaving } from "./find-former.ts";
import { requireUnrestricted } from "./require-unrestricted.ts";
import { lockBusiness, lockTeam, requireAnotherOwner, requireMayTouch, roleOf } from "./team.ts";

/**
 * Removes a member from the business. Every process refuses the person there within a second. Keys that the person made stay. Throws
 * RESOURCE_NOT_FOUND for a person who is not a member, PERMISSION_DENIED for a role above one's own, and
 * VALIDATION_ERROR for oneself.
 */
export const removeMember = verb(
  { permission: "team:write", proof: "manage_team" },
  async (ctx: ProvenContext<"manage_team">, userId: string): Promise<void> => {
    if (userId === ctx.actor.id) throw invalid("id", "To take yourself out, leave the business.");
    await transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const team = await lockTeam(tx, ctx);
      const role = roleOf(team, userId);
      requireMayTouch(team, ctx, role);
      if (role === "owner") await requireUnrestricted(ctx, tx);
      await take(tx, ctx, { userId, role, action: "member.removed" });
    });
  },
);

/**
 * Removes the acting member from the business. Repeated by a person who has left, it changes nothing. Throws VALIDATION_ERROR for the last owner,
 * and RESOURCE_NOT_FOUND for any other person who is not a member.
 */
export const leaveBusiness = verb(
  { permission: "self", proof: "manage_team" },
  async (ctx: ProvenContext<"manage_team">): Promise<void> => {
    const { id: userId } = ctx.actor;
    const { businessId } = ctx.merchant;
    await transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const team = await lockBusiness(tx, businessId);
      const role = team.roles.get(userId);
      if (role === undefined) {
        // The answer to the first request was lost.
        if (await findLeaving(tx, businessId, userId)) return;
        throw notFound("business");
      }
      if (role === "owner") requireAnotherOwner(team, userId, "id");
      await take(tx, ctx, { userId, role, action: "member.left" });
    });
  },
);

async function take(tx: Tx, ctx: MemberContext, { userId, role, action }: { userId: string; role: Role; action: string }): Promise<void> {
  const { businessId } = ctx.merchant;
  await tx.delete(members).where(and(eq(members.businessId, businessId), eq(members.userId, userId)));
  if (role === "owner") await restartPayoutWaits(tx, { businessId });
  await noteInAudit(tx, ctx, { businessId, action, subject: userId, before: { role } });
}
