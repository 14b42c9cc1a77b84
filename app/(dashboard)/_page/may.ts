import type { MemberContext } from "#services/context.ts";
import { isClosedBySuspension, type MemberPermission, mayRole, rolesWith } from "#services/members/index.ts";

/** Returns whether the reader may do something that changes things: the role may, and no suspension forbids it. */
export const mayChange = ({ role, merchant }: MemberContext, permission: MemberPermission): boolean =>
  !isClosedBySuspension(merchant, permission) && mayRole(role, permission, merchant.mode);

/** Returns whether the reader's role may see or do something, also while the business is suspended. */
export const may = ({ role, merchant }: MemberContext, permission: MemberPermission): boolean => mayRole(role, permission, merchant.mode);

/** Returns who may do something, for a screen that says so: "Owners and admins can do this." */
export function whoMay({ merchant }: MemberContext, permission: MemberPermission): string {
  const roles = rolesWith(permission, merchant.mode).map((role) => (role === "support" ? "support staff" : `${role}s`));
  const names = roles.length < 2 ? roles.join("") : `${roles.slice(0, -1).join(", ")} and ${roles.at(-1)}`;
  return `${names.slice(0, 1).toUpperCase()}${names.slice(1)} can do this.`;
}
