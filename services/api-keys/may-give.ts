import { Problem } from "#lib/problem.ts";
import type { TenantContext } from "../context.ts";
import { mayRole, rolesWith } from "../members/index.ts";
import type { Permission } from "../permissions.ts";

/**
 * Throws PERMISSION_DENIED for a member whose role may not have keys in this mode, or lacks one of the permissions: a key never may do more
 * than the member who makes, changes or rolls it. A permission that no role has in this mode opens nothing, so anyone may give it. The
 * command line and jobs may give every permission.
 */
export function requireMayGive({ actor, merchant, role }: TenantContext, permissions: readonly Permission[]): void {
  if (actor.type !== "member") return;
  if (role === undefined) throw new Error("a member acts without a role");
  const { mode } = merchant;
  if (!mayRole(role, "keys:write", mode)) {
    throw new Problem("PERMISSION_DENIED", `Your role may not have keys of ${mode} mode. Ask an owner or an admin.`);
  }
  const missing = permissions.filter((permission) => rolesWith(permission, mode).length > 0 && !mayRole(role, permission, mode));
  if (missing.length > 0) {
    throw new Problem("PERMISSION_DENIED", `Your role does not have ${missing.join(", ")}, so you cannot give it to a key.`);
  }
}
