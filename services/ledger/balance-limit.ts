import { eq } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { balanceLimits } from "#db/schema/alerts.ts";
import { merchants } from "#db/schema/tenants.ts";
import { type Money, money, toPlainDigits } from "#lib/money.ts";
import { noteInAudit, requireVersion } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { verb } from "../verb.ts";

const ACTION = "balance_limit.changed";
const textOf = (limit: Money | null) => (limit === null ? null : toPlainDigits(limit));

/** Returns the available balance below which the merchant is alerted, or null. */
export async function findBalanceLimit({ merchant }: TenantContext, on: Tx | ReturnType<typeof db> = db()): Promise<Money | null> {
  const [row] = await on.select({ kobo: balanceLimits.kobo }).from(balanceLimits).where(eq(balanceLimits.merchantId, merchant.id));
  return row ? money(row.kobo, "NGN") : null;
}

/**
 * Sets the available balance below which the merchant is alerted; null ends it. `from` is the limit that the caller has read. Throws
 * VERSION_CONFLICT where somebody has changed it since.
 */
export const setBalanceLimit = verb(
  { permission: "settings:write" },
  async (ctx: TenantContext, limit: Money | null, from: Money | null): Promise<Money | null> => {
    const { id: merchantId } = ctx.merchant;
    return transaction(async (tx) => {
      // There may be no limit to lock yet. So the merchant is locked, and no other change can be made at the same time.
      await tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
      const before = await findBalanceLimit(ctx, tx);
      if (before?.minor === limit?.minor) return limit;
      const about = { merchantId, subject: merchantId, actions: [ACTION] };
      await requireVersion(tx, { ...about, stored: textOf(before) ?? "", read: textOf(from) ?? "" });
      if (limit === null) await tx.delete(balanceLimits).where(eq(balanceLimits.merchantId, merchantId));
      else await store(tx, merchantId, limit);
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: ACTION, subject: merchantId },
        ...{ before: { naira: textOf(before) }, after: { naira: textOf(limit) } },
      });
      return limit;
    });
  },
);

/** Stores a new limit. If the balance is below it now, the merchant is alerted again, even if there was an alert for the old limit. */
async function store(tx: Tx, merchantId: string, { minor }: Money): Promise<void> {
  const set = { kobo: minor, belowSince: null, alertedAt: null };
  await tx
    .insert(balanceLimits)
    .values({ merchantId, ...set })
    .onConflictDoUpdate({ target: balanceLimits.merchantId, set });
}
