import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { payoutRules } from "#db/schema/payouts.ts";
import type { MerchantContext } from "../../context.ts";
import { NO_RULES, type PayoutRules, rulesFromRow } from "../payout-rules.ts";

/** Returns the rules of a merchant that are in force now, or at the time after a lock. */
export async function readRules(tx: Tx | Database, merchantId: string, at?: Date): Promise<PayoutRules> {
  const [row] = await tx
    .select()
    .from(payoutRules)
    .where(and(eq(payoutRules.merchantId, merchantId), lte(payoutRules.validFrom, at ?? sql`now()`)))
    .orderBy(desc(payoutRules.validFrom))
    .limit(1);
  return row ? rulesFromRow(row) : NO_RULES;
}

/** Returns the rules that wait until they begin, or undefined. */
export async function readNextRules(tx: Tx | Database, merchantId: string, at?: Date): Promise<PayoutRules | undefined> {
  const [row] = await tx
    .select()
    .from(payoutRules)
    .where(and(eq(payoutRules.merchantId, merchantId), gt(payoutRules.validFrom, at ?? sql`now()`)))
    .limit(1);
  return row && rulesFromRow(row);
}

/** Returns the rules in force, and those that wait. */
export async function getPayoutRules({ merchant }: MerchantContext): Promise<{ now: PayoutRules; next: PayoutRules | undefined }> {
  const [now, next] = await Promise.all([readRules(db(), merchant.id), readNextRules(db(), merchant.id)]);
  return { now, next };
}
