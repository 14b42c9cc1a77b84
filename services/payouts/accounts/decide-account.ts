import { and, eq, isNull, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { bankAccounts } from "#db/schema/payouts.ts";
import { raiseAlert } from "../../alerts/index.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import { madeBy, type OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { isBankAccount, lockMerchant } from "../rows.ts";

/**
 * Decides whether an account belongs to its business, whose name it does not have: lets it be used after its wait, or removes it. Tells the merchant.
 * Returns false where no such account waits for a decision.
 */
export const decideBankAccount = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, id: string, decision: { approves: boolean; reason: string }): Promise<boolean> => {
    const reason = requireReason(decision.reason);
    const [account] = await db().select({ merchantId: bankAccounts.merchantId }).from(bankAccounts).where(eq(bankAccounts.id, id));
    if (!account) return false;
    const { merchantId } = account;
    return transaction(async (tx) => {
      await lockMerchant(tx, merchantId);
      const [decided] = await tx
        .update(bankAccounts)
        .set({ awaitsDecision: false, ...(!decision.approves && { removedAt: sql`now()`, removedBy: madeBy(ctx) }) })
        .where(and(isBankAccount({ merchantId, id }), eq(bankAccounts.awaitsDecision, true), isNull(bankAccounts.removedAt)))
        .returning();
      if (!decided) return false;
      const named = `${decided.bankName} ••${decided.accountNumber.slice(-4)} (${decided.accountName})`;
      const message = decision.approves
        ? `Our people have approved ${named}: money can be paid to it once its wait is over.`
        : `Our people have not approved ${named}, because its owner's name is not your business's. Nothing can be paid to it. Write to support.`;
      await raiseAlert(tx, merchantId, { type: "bank_account.decided", resourceId: id, cause: id, message });
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: decision.approves ? "bank_account.approved" : "bank_account.refused", subject: id, reason },
        after: { name: decided.accountName },
      });
      return true;
    });
  },
);
