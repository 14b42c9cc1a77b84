import { and, eq } from "drizzle-orm";
import { bankTransfers } from "#db/schema/checkout.ts";
import { wereOperatorsAlerted } from "../../alerts/index.ts";
import type { ApprovedContext } from "../../approval.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import { modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { confirmReturn } from "./confirm-return.ts";
import { isBeingAsked } from "./return-transfers.ts";

/** `may_come`: the bank is being asked, or has not yet failed to send the money, so that a payer might get it twice. */
type Settled = "settled" | "not_owed" | "may_come";

/**
 * Records that money which a bank owes a payer went back in another way: it leaves suspense, and the bank is not asked any more. Only for a return of
 * which operators were told that the bank does not make it. The reason goes to the audit. Throws VALIDATION_ERROR for an empty reason. Locks:
 * transfer, ledger accounts.
 */
export const settleReturn = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, id: string, reason: string): Promise<Settled> => {
    const why = requireReason(reason);
    const { tx } = ctx.approval;
    const [owed] = await tx
      .select()
      .from(bankTransfers)
      .where(and(eq(bankTransfers.id, id), eq(bankTransfers.returnState, "owed")))
      .for("update");
    if (!owed) return "not_owed";
    const failure = { types: ["bank_return.failed" as const, "bank_return.unconfirmed" as const], resourceId: id };
    if (isBeingAsked(owed) || !(await wereOperatorsAlerted(tx, modeOf(owed.provider), failure))) return "may_come";
    await confirmReturn(tx, owed, { byHand: true });
    await noteInAudit(tx, ctx, {
      ...{ merchantId: owed.merchantId, action: "suspense.settled", subject: id, reason: why },
      ...{ before: { returnState: "owed" }, after: { returnState: "done" } },
    });
    return "settled";
  },
);
