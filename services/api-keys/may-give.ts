import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { Role, TenantContext } from "../context.ts";
import { mayRole, rolesWith } from "../members/index.ts";
import type { Permission } from "../permissions.ts";
import { requireFactorFor } from "./manages-keys.ts";

/**
 * Throws PERMISSION_DENIED for a member whose role may not have keys in this mode, or lacks one of the permissions: a key may never do more
 * than the member who makes, changes or rolls it. Reads the role again and locks it until the transaction ends, because the context's role was
 * read before the request's body arrived. A permission that no role has in this mode is useless, so anyone may give it. The command line and
 * jobs may give every permission.
 */
export async function requireMayGive(tx: Tx, ctx: TenantContext, permissions: readonly Permission[]): Promise<void> {
  if (ctx.actor.type !== "member") return;
  const { mode } = ctx.merchant;
  const role = await lockRole(tx, ctx);
  if (role === undefined || !mayRole(role, "keys:write", mode)) {
    throw new Problem("PERMISSION_DENIED", `Your role may not have keys of ${mode} mode. Ask an owner or an admin.`);
  }
  const missing = permissions.filter((permission) => rolesWith(permission, mode).length > 0 && !mayRole(role, permission, mode));
  if (missing.length > 0) {
    throw new Problem("PERMISSION_DENIED", `Your role does not have ${missing.join(", ")}, so you cannot give it to a key.`);
  }
  requireFactorFor(ctx, permissions);
}

async function lockRole(tx: Tx, { actor, merchant }: TenantContext): Promise<Role | undefined> {
  const [member] = await tx.execute<{ role: Role }>(sql`
    select members.role from members join merchants on merchants.business_id = members.business_id
    where merchants.id = ${merchant.id} and members.user_id = ${actor.id} for share of members`);
  return member?.role;
}
