import { and, eq, gt, gte, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { bankAccounts, payoutRequests, payoutRules } from "#db/schema/payouts.ts";

/** What was stopped, with the merchant of each. */
interface StoppedWork {
  accounts: { merchantId: string; id: string }[];
  requests: { merchantId: string; id: string }[];
  /** Merchants whose waiting rules were dropped. */
  rules: { merchantId: string }[];
}

/**
 * Undoes what a person has prepared to take money out since a time, in every business and both modes, because somebody else was in the account: removes
 * bank accounts, withdraws open requests, and drops rules that have not begun. Locks accounts before requests, as an approval does.
 */
export async function stopPayoutWorkOf(tx: Tx, { userId, since }: { userId: string; since: Date }): Promise<StoppedWork> {
  const by = `member:${userId}`;
  const accounts = await tx
    .update(bankAccounts)
    .set({ removedAt: sql`now()`, removedBy: by })
    .where(and(eq(bankAccounts.madeBy, by), gte(bankAccounts.createdAt, since), isNull(bankAccounts.removedAt)))
    .returning({ merchantId: bankAccounts.merchantId, id: bankAccounts.id });
  const requests = await tx
    .update(payoutRequests)
    .set({ decision: "withdrawn", decidedBy: by, decidedAt: sql`now()` })
    .where(and(eq(payoutRequests.madeBy, by), isNull(payoutRequests.decision)))
    .returning({ merchantId: payoutRequests.merchantId, id: payoutRequests.id });
  const rules = await tx
    .delete(payoutRules)
    .where(and(eq(payoutRules.madeBy, by), gte(payoutRules.createdAt, since), gt(payoutRules.validFrom, sql`now()`)))
    .returning({ merchantId: payoutRules.merchantId });
  return { accounts, requests, rules };
}
