import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { payoutRules } from "#db/schema/payouts.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../../context.ts";

type RulesRow = typeof payoutRules.$inferSelect;

/** The business's own rules for payouts. Null: no rule of its own. */
export interface PayoutRules extends Pick<RulesRow, "automatic" | "automaticAccountId"> {
  /** Naira of one payout. */
  maxAmount: Money | null;
  /** Naira of all payouts of a day in Lagos. */
  maxADay: Money | null;
  /** Two people decide about more Naira than this. */
  twoPeopleAbove: Money | null;
  /** Naira that stay in the wallet. */
  automaticReserve: Money;
  /** Null: the business has never set rules. */
  validFrom: Date | null;
}

const nairaOrNull = (kobo: bigint | null): Money | null => (kobo === null ? null : money(kobo, "NGN"));

export const NO_RULES: PayoutRules = {
  ...{ maxAmount: null, maxADay: null, twoPeopleAbove: null, automatic: null, automaticAccountId: null },
  automaticReserve: money(0n, "NGN"),
  validFrom: null,
};

export const rulesFromRow = ({ maxAmount, maxADay, twoPeopleAbove, automatic, automaticAccountId, ...row }: RulesRow): PayoutRules => ({
  ...{ maxAmount: nairaOrNull(maxAmount), maxADay: nairaOrNull(maxADay), twoPeopleAbove: nairaOrNull(twoPeopleAbove) },
  ...{ automatic, automaticAccountId, automaticReserve: money(row.automaticReserve, "NGN"), validFrom: row.validFrom },
});

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
