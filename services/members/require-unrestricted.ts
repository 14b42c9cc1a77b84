import { and, eq, gt, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { Problem } from "#lib/problem.ts";
import { DAY_MS, lagosDateTime } from "#lib/time.ts";
import type { Actor, TenantContext } from "../context.ts";
import { restartPayoutWaits } from "../restart-payout-waits.ts";

const LASTS_MS = DAY_MS;

/**
 * Restricts a person for 24 h, who then cannot give rights or read secrets (`requireUnrestricted`), and begins the wait of new bank accounts anew. The
 * caller has locked the user.
 */
export async function restrict(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(users)
    .set({ restrictedUntil: sql`now() + ${LASTS_MS} * interval '1 ms'` })
    .where(eq(users.id, userId));
  await restartPayoutWaits(tx, { userId });
}

/**
 * Throws PERMISSION_DENIED for a member whose account was restricted within the last 24 h (`restrict`). A thief who has the mailbox for an hour
 * must not get keys, rights, money or card numbers, and an operator's decides nothing. API keys and the command line without a name are not restricted.
 */
export async function requireUnrestricted({ actor }: { actor: Actor }, reader: Tx | Database = db()): Promise<void> {
  if (actor.type !== "member" && actor.type !== "operator") return;
  const [restricted] = await reader
    .select({ until: users.restrictedUntil })
    .from(users)
    .where(and(eq(users.id, actor.id), gt(users.restrictedUntil, sql`now()`)));
  if (!restricted?.until) return;
  throw new Problem(
    "PERMISSION_DENIED",
    `A short time ago you chose a new password by mail, or your two-step sign-in was turned on or removed. For safety this waits until ${lagosDateTime(restricted.until)} (West Africa Time). A colleague may do it now.`,
  );
}

/** As `requireUnrestricted`, in live mode only, for verbs that are harmless in test mode. */
export async function requireUnrestrictedInLive(
  ctx: Pick<TenantContext, "actor" | "merchant">,
  reader: Tx | Database = db(),
): Promise<void> {
  if (ctx.merchant.mode === "live") await requireUnrestricted(ctx, reader);
}
