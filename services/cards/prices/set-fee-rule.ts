import { and, desc, eq, lte, max, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardFees } from "#db/schema/prices.ts";
import { merchants } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { type FeeRule, figuresOfFee, requireFeeRule } from "../../fee-rule.ts";
import { requireLater } from "../../later.ts";
import { verb } from "../../verb.ts";
import type { FeeKind } from "./prices.ts";

/**
 * Sets the fee rule of a merchant, or of a whole mode if `merchantId` is the platform merchant's, from now on or from a later time. Earlier rules stay stored.
 * Throws VALIDATION_ERROR for basis points outside 0 to 10,000, a negative fee, or a maximum below the minimum; for a time that is over or more than a
 * year ahead, and for one at which a rule begins already.
 */
export const setFeeRule = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, merchantId: string, kind: FeeKind, rule: FeeRule, from: Date | null = null): Promise<void> => {
    requireFeeRule(rule);
    if (from) requireLater(from);
    await transaction(async (tx) => {
      // The rule may have no row yet. The merchant's lock keeps it from being set by another transaction meanwhile.
      await tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
      const validFrom = from ?? (await afterLast(tx, merchantId, kind));
      const [before] = await tx
        .select()
        .from(cardFees)
        .where(and(isOf(merchantId, kind), lte(cardFees.validFrom, validFrom)))
        .orderBy(desc(cardFees.validFrom))
        .limit(1);
      const { flat, bps, minimum, maximum } = rule;
      const stored = await tx
        .insert(cardFees)
        .values({ merchantId, kind, validFrom, flat, bps, minimum, maximum })
        .onConflictDoNothing()
        .returning({ kind: cardFees.kind });
      if (stored.length === 0) throw invalid("from", "A fee begins at this time already. Choose another time.");
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: "fee_rule.set", subject: merchantId },
        before: before ? figuresOf(kind, before) : null,
        after: { ...figuresOf(kind, rule), ...(from && { from: from.toISOString() }) },
      });
    });
  },
);

const isOf = (merchantId: string, kind: FeeKind) => and(eq(cardFees.merchantId, merchantId), eq(cardFees.kind, kind));

/** Returns the time now, or a millisecond after the last rule that begins by now, so that two changes within a millisecond are two rows. */
async function afterLast(tx: Tx, merchantId: string, kind: FeeKind): Promise<Date> {
  const [clock] = await tx.execute<{ now: string }>(sql`select date_trunc('milliseconds', clock_timestamp()) as now`);
  const now = new Date(clock?.now ?? "");
  const isBegun = and(isOf(merchantId, kind), lte(cardFees.validFrom, now));
  const [row] = await tx
    .select({ last: max(cardFees.validFrom) })
    .from(cardFees)
    .where(isBegun);
  return new Date(Math.max(now.getTime(), row?.last ? row.last.getTime() + 1 : 0));
}

const figuresOf = (kind: FeeKind, rule: FeeRule) => ({ kind, ...figuresOfFee(rule) });
