import { and, eq, lte, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { paymentLinks } from "#db/schema/checkout.ts";
import type { SystemContext } from "../context.ts";
import { appendEvent } from "../events/index.ts";
import { linkAsEventData } from "./link-as-event-data.ts";

/** Expires one link if its time is over. Returns false where the link is not pending any more, or not due. Locks: link, event counter. */
export async function expireLink(merchantId: string, linkId: string): Promise<boolean> {
  return transaction(async (tx) => {
    // The race against a payment is won by the update that returns a row.
    const [link] = await tx
      .update(paymentLinks)
      .set({ status: "expired" })
      .where(
        and(
          eq(paymentLinks.merchantId, merchantId),
          eq(paymentLinks.id, linkId),
          eq(paymentLinks.status, "pending"),
          lte(paymentLinks.expiresAt, sql`now()`),
        ),
      )
      .returning({ id: paymentLinks.id });
    if (!link) return false;
    await appendEvent(tx, merchantId, "checkout.expired", await linkAsEventData(tx, merchantId, linkId));
    return true;
  });
}

/** Expires up to `limit` links whose time is over, of all merchants, oldest first. Returns how many were due. */
export async function expireDueLinks(_ctx: SystemContext, limit = 500): Promise<number> {
  const due = await db()
    .select({ merchantId: paymentLinks.merchantId, id: paymentLinks.id })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.status, "pending"), lte(paymentLinks.expiresAt, sql`now()`)))
    .orderBy(paymentLinks.expiresAt)
    .limit(limit);
  for (const { merchantId, id } of due) await expireLink(merchantId, id);
  return due.length;
}
