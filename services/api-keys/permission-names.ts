import { invalid } from "#lib/problem.ts";
import { ALL_PERMISSIONS, type Permission } from "../permissions.ts";

/** Returns the permissions of a key that is created without a list: all of the mode, except `cards:reveal` in live mode. */
export const defaultPermissions = (mode: "test" | "live"): readonly Permission[] =>
  ALL_PERMISSIONS.filter((permission) => mode === "test" || (permission !== "cards:reveal" && permission !== "test:write"));

/** Returns the permission of this name. Throws VALIDATION_ERROR. */
export function permissionNamed(name: string): Permission {
  const permission = ALL_PERMISSIONS.find((known) => known === name);
  if (!permission) throw invalid("permissions", `${name} is no permission. Choose from ${ALL_PERMISSIONS.join(", ")}.`);
  return permission;
}
