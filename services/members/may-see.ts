import type { Area, MerchantContext } from "../context.ts";
import type { Permission } from "../permissions.ts";
import { mayRole } from "./contract.ts";

/** The permission with which something is seen, and the area that has it, if one has. */
export interface SeenWith {
  permission: Permission;
  area?: Area;
}

/** Returns whether the caller may see something. One without a role and without a list of permissions sees nothing. */
export function maySee({ merchant, role, permissions = [] }: MerchantContext, { permission, area }: SeenWith): boolean {
  if (area && !merchant.areas.includes(area)) return false;
  return role === undefined ? permissions.includes(permission) : mayRole(role, permission, merchant.mode);
}
