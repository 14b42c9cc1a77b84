import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { HOUR_MS } from "#lib/time.ts";
import { noteInAudit } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { exceptionFromRow, type PurchaseException, purchaseFromRow, type StuckPurchase } from "./purchase.ts";

const MAX_ROWS = 200;

/** What aggregators took back or delivered after it was final, oldest first, until an operator has seen it. */
export async function listExceptions(_ctx: OperatorContext): Promise<PurchaseException[]> {
  const rows = await db()
    .select()
    .from(purchaseExceptions)
    .where(isNull(purchaseExceptions.seenAt))
    .orderBy(asc(purchaseExceptions.createdAt))
    .limit(MAX_ROWS);
  return rows.map(exceptionFromRow);
}

/** Returns how many unseen exceptions that purchase had. */
export async function markExceptionsSeen(ctx: OperatorContext, purchaseId: string): Promise<number> {
  return transaction(async (tx) => {
    const seen = await tx
      .update(purchaseExceptions)
      .set({ seenAt: sql`now()` })
      .where(and(eq(purchaseExceptions.purchaseId, purchaseId), isNull(purchaseExceptions.seenAt)))
      .returning({ merchantId: purchaseExceptions.merchantId });
    const [first] = seen;
    if (first) await noteInAudit(tx, ctx, { merchantId: first.merchantId, action: "purchase_exceptions.seen", subject: purchaseId });
    return seen.length;
  });
}

/** Returns purchases that are undecided for some hours, oldest first. */
export async function listStuckPurchases(_ctx: OperatorContext, hours: number): Promise<StuckPurchase[]> {
  const rows = await db()
    .select()
    .from(purchases)
    .where(and(eq(purchases.status, "processing"), sql`${purchases.createdAt} < now() - ${hours * HOUR_MS} * interval '1 ms'`))
    .orderBy(asc(purchases.createdAt))
    .limit(MAX_ROWS);
  return rows.map((row) => ({ ...purchaseFromRow(row), provider: row.provider, attempts: row.attempts }));
}
