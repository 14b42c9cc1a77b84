import { and, asc, eq, sql } from "drizzle-orm";
import { db, preparing } from "#db/client.ts";
import { refunds } from "#db/schema/refunds.ts";
import { invalid } from "#lib/problem.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { ApprovedContext } from "../../approval.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { changeByOperator, RECHECK_LOST_AFTER_MS } from "../../money-out.ts";
import { type BanksWord, finalByOperator, requireEvidence } from "../../money-out-by-operator.ts";
import { verb } from "../../verb.ts";
import { idOfRefund, refundFromRow, type StuckRefund } from "../refund.ts";
import { isRefund, lockRefund } from "./refund-rows.ts";
import { applyToRefund } from "./settle-refund.ts";

/**
 * Settles a refund as an operator says, who has asked the bank, as `settlePayoutByOperator` does a payout. Evidence and reason go to the audit. Returns
 * false if there is no such refund. Throws VALIDATION_ERROR if the operator has seen another state than it has now, and for an outcome that does not follow
 * its state. Locks: link, refund, ledger accounts, event counter, head of the audit.
 */
export const settleRefundByOperator = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, name: string, { was, outcome, evidence, reason }: BanksWord): Promise<boolean> => {
    const why = requireReason(reason);
    const proof = requireEvidence(evidence);
    const id = idOfRefund(name);
    const { tx } = ctx.approval;
    const merchantId = await findMerchantOf(id, preparing(tx));
    if (merchantId === undefined) return false;
    const { refund } = (await lockRefund(tx, { merchantId, id })) ?? {};
    if (!refund) return false;
    if (refund.status !== was) throw invalid("was", `This refund is ${refund.status} by now, not ${was}. Look at it again.`);
    const change = refund.orderedAt === null ? undefined : changeByOperator(was, outcome);
    if (!change) throw invalid("outcome", `A refund that is ${was} cannot become ${outcome}.`);
    // A read that is running is superseded.
    await tx
      .update(refunds)
      .set({ fencingToken: sql`${refunds.fencingToken} + 1`, attempts: 0 })
      .where(isRefund(refund));
    await applyToRefund(
      tx,
      refund,
      change,
      finalByOperator(outcome, refund, "payer"),
      sql`now() + ${RECHECK_LOST_AFTER_MS} * interval '1 ms'`,
    );
    await noteInAudit(tx, ctx, {
      ...{ merchantId, action: "refund.settled", subject: id, reason: why },
      ...{ before: { status: was }, after: { outcome, evidence: proof } },
    });
    return true;
  },
);

const MAX_ROWS = 200;

/** Returns refunds that were ordered more than `hours` ago and are `processing`, of all merchants, oldest first: at most 200. */
export async function listStuckRefunds(_ctx: OperatorContext, hours: number): Promise<StuckRefund[]> {
  const rows = await db()
    .select()
    .from(refunds)
    .where(and(eq(refunds.status, "processing"), sql`${refunds.orderedAt} < now() - ${hours * HOUR_MS} * interval '1 ms'`))
    .orderBy(asc(refunds.createdAt))
    .limit(MAX_ROWS);
  return rows.map((row) => ({ ...refundFromRow(row), provider: row.provider, attempts: row.attempts }));
}
