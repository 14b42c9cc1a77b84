import type { Area, MerchantContext } from "../context.ts";
import type { Permission } from "../permissions.ts";
import { mayRole } from "./contract.ts";

/** The permission that is needed to see a kind of record, and its area, if it belongs to one. */
export interface SeenWith {
  permission: Permission;
  area?: Area;
}

/** Returns whether the caller may see a kind of record. A caller without a role and without permissions sees nothing. */
export function maySee({ merchant, role, permissions = [] }: MerchantContext, { permission, area }: SeenWith): boolean {
  if (area && !merchant.areas.includes(area)) return false;
  return role === undefined ? permissions.includes(permission) : mayRole(role, permission, merchant.mode);
}
