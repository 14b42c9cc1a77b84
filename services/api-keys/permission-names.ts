import { invalid } from "#lib/problem.ts";
import { ALL_PERMISSIONS, type Permission, TAKES_MONEY_OUT } from "../permissions.ts";

/** Permissions that a key has only where somebody names them: in both modes, and in live mode alone. */
const NAMED_ONLY: Record<"test" | "live", readonly Permission[]> = {
  test: TAKES_MONEY_OUT,
  live: [...TAKES_MONEY_OUT, "cards:reveal", "test:write"],
};

/** Returns the permissions of a key that is created without a list: all of the mode, except those that must be named. */
export const defaultPermissions = (mode: "test" | "live"): readonly Permission[] =>
  ALL_PERMISSIONS.filter((permission) => !NAMED_ONLY[mode].includes(permission));

/** Returns the permission of this name. Throws VALIDATION_ERROR. */
export function permissionNamed(name: string): Permission {
  const permission = ALL_PERMISSIONS.find((known) => known === name);
  if (!permission) throw invalid("permissions", `${name} is no permission. Choose from ${ALL_PERMISSIONS.join(", ")}.`);
  return permission;
}
