import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { PurchaseException, PurchaseRow } from "./purchase.ts";

const MOST = 200;

/** What aggregators took back or delivered after it was final, oldest first, until an operator has seen it. */
export const listExceptions = (): Promise<PurchaseException[]> =>
  db().select().from(purchaseExceptions).where(isNull(purchaseExceptions.seenAt)).orderBy(asc(purchaseExceptions.createdAt)).limit(MOST);

/** Answers how many there were of that purchase. */
export async function markExceptionsSeen(purchaseId: string): Promise<number> {
  const seen = await db()
    .update(purchaseExceptions)
    .set({ seenAt: sql`now()` })
    .where(and(eq(purchaseExceptions.purchaseId, purchaseId), isNull(purchaseExceptions.seenAt)))
    .returning({ id: purchaseExceptions.purchaseId });
  return seen.length;
}

/** Purchases that nobody can tell the end of for some hours, oldest first. */
export const listStuckPurchases = (hours: number): Promise<PurchaseRow[]> =>
  db()
    .select()
    .from(purchases)
    .where(and(eq(purchases.status, "processing"), sql`${purchases.createdAt} < now() - ${hours * HOUR_MS} * interval '1 ms'`))
    .orderBy(asc(purchases.createdAt))
    .limit(MOST);
