import { eq } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { businesses, members } from "#db/schema/tenants.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import type { MemberContext, Role } from "../context.ts";
import { mayRole, ROLES } from "./contract.ts";

/** A business whose team is locked until the transaction ends. */
export interface LockedTeam {
  businessName: string;
  roles: Map<string, Role>;
  /** The present role of the acting member. That of the context may be a second old. */
  ownRole: Role;
}

/**
 * Locks a business, so that changes of its team happen one after the other, and returns its members. Lock it before any other row. Throws
 * RESOURCE_NOT_FOUND where the person who acts is no longer a member.
 */
export async function lockTeam(tx: Tx, { actor, merchant }: Pick<MemberContext, "actor" | "merchant">): Promise<LockedTeam> {
  const { name: businessName, roles } = await lockBusiness(tx, merchant.businessId);
  const ownRole = roles.get(actor.id);
  if (ownRole === undefined) throw notFound("business");
  return { businessName, roles, ownRole };
}

/** As `lockTeam`, for a person who is not a member yet. */
export async function lockBusiness(tx: Tx, businessId: string): Promise<{ name: string; roles: Map<string, Role> }> {
  const [business] = await tx.select({ name: businesses.name }).from(businesses).where(eq(businesses.id, businessId)).for("no key update");
  if (!business) throw new Error(`no business ${businessId}`);
  return { name: business.name, roles: await readRoles(tx, businessId) };
}

/** Returns the role of each member of a business. */
export async function readRoles(reader: Tx | Database, businessId: string): Promise<Map<string, Role>> {
  const rows = await reader.select({ userId: members.userId, role: members.role }).from(members).where(eq(members.businessId, businessId));
  return new Map(rows.map(({ userId, role }) => [userId, role]));
}

/** Returns the role of a member. Throws RESOURCE_NOT_FOUND. */
export function roleOf({ roles }: LockedTeam, userId: string): Role {
  const role = roles.get(userId);
  if (role === undefined) throw notFound("member");
  return role;
}

const rankOf = (role: Role) => ROLES.indexOf(role);

/** Returns whether a role may do more than another one. */
export const isAbove = (role: Role, other: Role): boolean => rankOf(role) < rankOf(other);

/** Returns whether a member with the role `own` may change the team and give the role `role`. It is the same in both modes. */
export const mayGiveRole = (own: Role, role: Role): boolean => mayRole(own, "team:write", "live") && rankOf(role) >= rankOf(own);

/** Throws PERMISSION_DENIED unless the member who acts may change the team, and has a role that is not below the given ones. */
export function requireMayTouch({ ownRole }: LockedTeam, { merchant }: MemberContext, ...roles: Role[]): void {
  if (!mayRole(ownRole, "team:write", merchant.mode)) {
    throw new Problem("PERMISSION_DENIED", "Your role may not change the team. Ask an owner or an admin.");
  }
  const above = roles.find((role) => rankOf(role) < rankOf(ownRole));
  if (above) throw new Problem("PERMISSION_DENIED", `The role ${above} is above yours. Ask an ${above}.`);
}

/** Throws VALIDATION_ERROR where the member is the last owner. */
export function requireAnotherOwner({ roles }: Pick<LockedTeam, "roles">, userId: string, param: string): void {
  const others = [...roles].filter(([id, role]) => role === "owner" && id !== userId);
  if (others.length === 0) throw invalid(param, "A business needs an owner. Make somebody else an owner first.");
}
