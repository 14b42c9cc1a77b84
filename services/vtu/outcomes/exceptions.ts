import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { HOUR_MS } from "#lib/time.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { verb } from "../../verb.ts";
import { exceptionFromRow, type PurchaseException, purchaseFromRow, type StuckPurchase } from "../purchase.ts";

const MAX_ROWS = 200;

/** Returns the exceptions that no operator has marked as seen, of all merchants, oldest first: at most 200. */
export async function listExceptions(_ctx: OperatorContext): Promise<PurchaseException[]> {
  const rows = await db()
    .select()
    .from(purchaseExceptions)
    .where(isNull(purchaseExceptions.seenAt))
    .orderBy(asc(purchaseExceptions.createdAt))
    .limit(MAX_ROWS);
  return rows.map(exceptionFromRow);
}

/** Marks the exceptions of a purchase as seen. Returns how many were unseen. */
export const markExceptionsSeen = verb({ actor: ["operator"] }, async (ctx: OperatorContext, purchaseId: string): Promise<number> => {
  const merchantId = await findMerchantOf(purchaseId);
  if (merchantId === undefined) return 0;
  return transaction(async (tx) => {
    const seen = await tx
      .update(purchaseExceptions)
      .set({ seenAt: sql`now()` })
      .where(
        and(
          eq(purchaseExceptions.merchantId, merchantId),
          eq(purchaseExceptions.purchaseId, purchaseId),
          isNull(purchaseExceptions.seenAt),
        ),
      )
      .returning({ correction: purchaseExceptions.correction });
    if (seen.length > 0) {
      const after = { seen: seen.map(({ correction }) => String(correction)) };
      await noteInAudit(tx, ctx, { merchantId, action: "purchase_exceptions.seen", subject: purchaseId, after });
    }
    return seen.length;
  });
});

/** Returns purchases that have been `processing` for more than `hours`, of all merchants, oldest first: at most 200. */
export async function listStuckPurchases(_ctx: OperatorContext, hours: number): Promise<StuckPurchase[]> {
  const rows = await db()
    .select()
    .from(purchases)
    .where(and(eq(purchases.status, "processing"), sql`${purchases.createdAt} < now() - ${hours * HOUR_MS} * interval '1 ms'`))
    .orderBy(asc(purchases.createdAt))
    .limit(MAX_ROWS);
  return rows.map((row) => ({ ...purchaseFromRow(row), provider: row.provider, attempts: row.attempts }));
}
