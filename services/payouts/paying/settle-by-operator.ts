import { and, asc, eq, sql } from "drizzle-orm";
import { db, preparing } from "#db/client.ts";
import { payouts } from "#db/schema/payouts.ts";
import { invalid } from "#lib/problem.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { ApprovedContext } from "../../approval.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { changeByOperator, RECHECK_LOST_AFTER_MS } from "../../money-out.ts";
import { type BanksWord, finalByOperator, requireEvidence } from "../../money-out-by-operator.ts";
import { verb } from "../../verb.ts";
import { idOfReference, payoutFromRow, type StuckPayout } from "../payout.ts";
import { isPayout } from "../rows.ts";
import { applyChange } from "./settle.ts";

/**
 * Settles a payout as an operator says, who has asked the bank: `paid` or `failed` for one that the bank never decides, `paid` for one that failed or
 * came back here and was paid after all, and `reversed` for one that was paid and came back. Evidence and reason go to the audit. Returns false if there
 * is no such payout. Throws VALIDATION_ERROR if the operator has seen another state than it has now, and for an outcome that does not follow its state.
 * Locks: payout, ledger accounts, event counter, head of the audit.
 */
export const settlePayoutByOperator = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, name: string, { was, outcome, evidence, reason }: BanksWord): Promise<boolean> => {
    const why = requireReason(reason);
    const proof = requireEvidence(evidence);
    const id = idOfReference(name);
    const { tx } = ctx.approval;
    const merchantId = await findMerchantOf(id, preparing(tx));
    if (merchantId === undefined) return false;
    // A read that is running is superseded.
    const [payout] = await tx
      .update(payouts)
      .set({ fencingToken: sql`${payouts.fencingToken} + 1`, attempts: 0 })
      .where(isPayout({ merchantId, id }))
      .returning();
    if (!payout) return false;
    if (payout.status !== was) throw invalid("was", `This payout is ${payout.status} by now, not ${was}. Look at it again.`);
    const change = changeByOperator(payout.status, outcome);
    if (!change) throw invalid("outcome", `A payout that is ${was} cannot become ${outcome}.`);
    await applyChange(
      tx,
      payout,
      change,
      finalByOperator(outcome, payout, "payee"),
      sql`now() + ${RECHECK_LOST_AFTER_MS} * interval '1 ms'`,
    );
    await noteInAudit(tx, ctx, {
      ...{ merchantId, action: "payout.settled", subject: id, reason: why },
      ...{ before: { status: payout.status }, after: { outcome, evidence: proof } },
    });
    return true;
  },
);

const MAX_ROWS = 200;

/** Returns payouts that have been `processing` for more than `hours`, of all merchants, oldest first: at most 200. */
export async function listStuckPayouts(_ctx: OperatorContext, hours: number): Promise<StuckPayout[]> {
  const rows = await db()
    .select()
    .from(payouts)
    .where(and(eq(payouts.status, "processing"), sql`${payouts.createdAt} < now() - ${hours * HOUR_MS} * interval '1 ms'`))
    .orderBy(asc(payouts.createdAt))
    .limit(MAX_ROWS);
  return rows.map((row) => ({ ...payoutFromRow(row), provider: row.provider, attempts: row.attempts }));
}
