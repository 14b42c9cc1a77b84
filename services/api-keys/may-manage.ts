import type { TenantContext } from "../context.ts";
import { requireUnrestricted } from "../members/index.ts";
import { requireProven } from "../proven.ts";

/**
 * For verbs that make a key work or let it do more. A member needs a proof in live mode, because a borrowed browser must not take a secret that
 * outlives its session; test mode's keys open nothing real. Throws PERMISSION_DENIED while the member is restricted, and an Error without the proof.
 */
export async function requireMayManage(ctx: TenantContext): Promise<void> {
  if (ctx.actor.type !== "member" || ctx.merchant.mode === "test") return;
  requireProven(ctx, "manage_keys");
  await requireUnrestricted(ctx);
}
