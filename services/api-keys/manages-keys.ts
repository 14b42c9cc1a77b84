import type { TenantContext } from "../context.ts";
import { type Permission, TAKES_MONEY_OUT } from "../permissions.ts";
import { requireProven } from "../proven.ts";

/**
 * For verbs that make a key work or let it do more. Members prove who they are in live mode, because a borrowed browser must not take a secret that
 * outlives its session; test mode's keys open nothing real.
 */
export const MANAGES_KEYS = { permission: "keys:write", proof: "manage_keys", proofOnlyInLive: true } as const;

/** Whether a key with these permissions is given with a second factor only: it takes money out, so a stolen password must not be enough to get one. */
export const takesMoneyOut = (permissions: readonly string[]): boolean =>
  TAKES_MONEY_OUT.some((permission) => permissions.includes(permission));

/** Throws an Error if a member gives a live key that takes money out without a second factor. A face that did not ask for one is at fault. */
export function requireFactorFor(ctx: TenantContext & { sessionId?: string }, permissions: readonly Permission[]): void {
  if (ctx.actor.type !== "member" || ctx.merchant.mode === "test" || !takesMoneyOut(permissions)) return;
  requireProven(ctx, MANAGES_KEYS.proof, { withSecondFactor: true });
}
