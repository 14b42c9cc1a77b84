import { and, asc, eq, lte, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { OPENS_REFUNDS_OF_A_LINK, refunds } from "#db/schema/refunds.ts";
import { log } from "#lib/log.ts";
import type { SystemContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import type { LinkRow } from "../payment-link.ts";
import type { RefundRow } from "../refund.ts";
import { lockRefund, type RefundKey } from "./refund-rows.ts";
import { applyToRefund } from "./settle-refund.ts";

/** Fails a refund that needs an account, and gives its money back. The caller has locked it with its link. */
export const endWaiting = (tx: Tx, refund: RefundRow, reason: string): Promise<void> =>
  applyToRefund(tx, refund, "failed", { status: "failed", reason }, null);

/**
 * Fails the refunds of a link that still need an account, because the bank took the payment back: the customer would get the money twice. The caller
 * has locked the link.
 */
export async function endWaitingOf(tx: Tx, { merchantId, id }: Pick<LinkRow, "merchantId" | "id">): Promise<void> {
  const isOfLink = and(eq(refunds.merchantId, merchantId), eq(refunds.linkId, id), sql.raw(OPENS_REFUNDS_OF_A_LINK));
  const waiting = await tx
    .select()
    .from(refunds)
    .where(and(isOfLink, eq(refunds.status, "needs_account")))
    .orderBy(refunds.id)
    .for("update");
  for (const refund of waiting) await endWaiting(tx, refund, "The bank took the payment back.");
}

/** Fails refunds whose customer has named no account in time, or whose owner has not decided: up to `limit`. Returns how many were due. */
export const endExpiredRefunds = verb({ actor: ["system"] }, async (_ctx: SystemContext, limit: number = 50): Promise<number> => {
  const due = await db()
    .select({ merchantId: refunds.merchantId, id: refunds.id })
    .from(refunds)
    .where(lte(refunds.expiresAt, sql`now()`))
    .orderBy(asc(refunds.expiresAt))
    .limit(limit);
  for (const key of due) {
    try {
      await endIfExpired(key);
    } catch (error) {
      log().error({ refundId: key.id, err: error }, "an expired refund could not be ended; it is tried again");
    }
  }
  return due.length;
});

const endIfExpired = (key: RefundKey): Promise<void> =>
  transaction(async (tx) => {
    const { refund } = (await lockRefund(tx, key)) ?? {};
    if (!refund || !(await hasExpired(tx, refund))) return;
    await endWaiting(tx, refund, refund.awaitsOwner ? "No owner agreed to the account in time." : "The customer named no account in time.");
  });

/** Returns whether a locked refund has waited too long, by the database's clock. */
export async function hasExpired(tx: Tx, { expiresAt }: RefundRow): Promise<boolean> {
  if (expiresAt === null) return false;
  const [row] = await tx.execute<{ is_over: boolean }>(
    sql`select ${expiresAt.toISOString()}::text::timestamptz <= clock_timestamp() as is_over`,
  );
  return row?.is_over ?? true;
}
