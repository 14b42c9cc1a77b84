import type { TenantContext } from "../context.ts";
import { requireUnrestricted } from "../members/index.ts";

/**
 * For verbs that make a key work or let it do more. Members prove who they are in live mode, because a borrowed browser must not take a secret that
 * outlives its session. Keys of test mode give access to nothing real.
 */
export const MANAGES_KEYS = { permission: "keys:write", proof: "manage_keys", proofOnlyInLive: true } as const;

/** Throws PERMISSION_DENIED in live mode while the member is restricted. */
export async function requireMayManage(ctx: TenantContext): Promise<void> {
  if (ctx.actor.type !== "member" || ctx.merchant.mode === "test") return;
  await requireUnrestricted(ctx);
}
