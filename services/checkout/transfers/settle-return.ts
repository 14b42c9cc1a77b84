import { and, eq } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { confirmReturn } from "./confirm-return.ts";

/**
 * Records that money which a bank owes a payer went back in another way: it leaves suspense, and the bank is not asked any more. The reason goes to
 * the audit. Returns false if no bank owes this transfer. Throws VALIDATION_ERROR for an empty reason. Locks: transfer, ledger accounts.
 */
export const settleReturn = verb({ actor: ["operator"] }, async (ctx: OperatorContext, id: string, reason: string): Promise<boolean> => {
  const why = requireReason(reason);
  return transaction(async (tx) => {
    const [owed] = await tx
      .select({ merchantId: bankTransfers.merchantId })
      .from(bankTransfers)
      .where(and(eq(bankTransfers.id, id), eq(bankTransfers.returnState, "owed")))
      .for("update");
    if (!owed) return false;
    await confirmReturn(tx, { merchantId: owed.merchantId, id });
    await noteInAudit(tx, ctx, {
      ...{ merchantId: owed.merchantId, action: "suspense.settled", subject: id, reason: why },
      ...{ before: { returnState: "owed" }, after: { returnState: "done" } },
    });
    return true;
  });
});
