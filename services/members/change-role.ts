import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { members } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { findLastAct, noteInAudit, requireVersion } from "../audit/index.ts";
import type { MemberContext, Role } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import type { ProvenContext } from "../proven.ts";
import { restartPayoutWaits } from "../restart-payout-waits.ts";
import { verb } from "../verb.ts";
import { requireUnrestricted } from "./require-unrestricted.ts";
import { isAbove, type LockedTeam, lockTeam, requireAnotherOwner, requireMayTouch, roleOf } from "./team.ts";

/** The action of audit entries that change a role. */
const ACTIONS = ["member.joined", "member.role_changed", "member.made_owner"];

/**
 * Gives a member another role, in every process within a second. `from` is the role that the caller has read. Throws RESOURCE_NOT_FOUND for
 * somebody who is not a member, PERMISSION_DENIED for a role above one's own, VALIDATION_ERROR where no owner would be left, and VERSION_CONFLICT
 * where somebody has changed the role since the caller read it.
 */
export const changeRole = verb(
  { permission: "team:write", proof: "manage_team" },
  async (ctx: ProvenContext<"manage_team">, userId: string, role: Role, from?: Role): Promise<void> => {
    const { businessId } = ctx.merchant;
    await transaction(async (tx) => {
      const team = await lockTeam(tx, ctx);
      const before = roleOf(team, userId);
      requireMayTouch(team, ctx, before, role);
      if (before === role) return;
      if (isAbove(role, before) || before === "owner") await requireUnrestricted(ctx, tx);
      if (from) await requireVersion(tx, { businessId, subject: userId, actions: ACTIONS, stored: before, read: from });
      if (before === "owner") requireAnotherOwner(team, userId, "role");
      await tx
        .update(members)
        .set({ role })
        .where(and(eq(members.businessId, businessId), eq(members.userId, userId)));
      if (before === "owner" || role === "owner") await restartPayoutWaits(tx, { businessId });
      await noteInAudit(tx, ctx, { businessId, action: "member.role_changed", subject: userId, before: { role: before }, after: { role } });
    });
  },
);

/**
 * Makes another member an owner, and the owner who acts an admin. Repeated by the same person, it changes nothing. Throws RESOURCE_NOT_FOUND for somebody who is not a member, PERMISSION_DENIED for
 * anybody who is not an owner, and VALIDATION_ERROR for oneself.
 */
export const handOver = verb(
  { permission: "team:write", proof: "manage_team" },
  async (ctx: ProvenContext<"manage_team">, userId: string): Promise<void> => {
    await requireUnrestricted(ctx);
    const { merchant, actor } = ctx;
    const { businessId } = merchant;
    await transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const team = await lockTeam(tx, ctx);
      const before = roleOf(team, userId);
      if (await isHandedOver(tx, ctx, team, userId)) return;
      requireMayTouch(team, ctx, "owner");
      if (userId === actor.id) throw invalid("id", "You are the owner. Choose another member.");
      const setRole = async (id: string, role: Role) => {
        await tx
          .update(members)
          .set({ role })
          .where(and(eq(members.businessId, businessId), eq(members.userId, id)));
      };
      await setRole(userId, "owner");
      await setRole(actor.id, "admin");
      await restartPayoutWaits(tx, { businessId });
      const [given, left] = [
        { role: "owner", handed_over_by: actor.id },
        { role: "admin", handed_over_to: userId },
      ];
      await noteInAudit(tx, ctx, { businessId, action: "member.made_owner", subject: userId, before: { role: before }, after: given });
      await noteInAudit(tx, ctx, { businessId, action: "member.role_changed", subject: actor.id, before: { role: "owner" }, after: left });
    });
  },
);

/**
 * Returns whether the acting member's role last changed by handing over to this member, who is still an owner. Then the request is
 * repeated, because its answer was lost.
 */
async function isHandedOver(tx: Tx, { actor, merchant }: MemberContext, { roles, ownRole }: LockedTeam, userId: string): Promise<boolean> {
  if (ownRole !== "admin" || roles.get(userId) !== "owner") return false;
  const { businessId } = merchant;
  const last = await findLastAct(tx, { businessId, subject: actor.id, actions: ACTIONS });
  return last?.after?.handed_over_to === userId;
}
