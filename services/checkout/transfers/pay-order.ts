import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { databaseTime } from "#db/database-time.ts";
import { paymentLinks } from "#db/schema/checkout.ts";
import type { LinkRow } from "../payment-link.ts";

// A chain of replacements is one order, which is paid once. Every payment of one of its links, and every new replacement, locks the chain's first
// link, and reads there whether the order is paid.

/** Returns whether another link of the chain may have paid the order, so that a payment of this link changes others. */
export const isInChain = ({ firstLinkId, replacedBy }: Pick<LinkRow, "firstLinkId" | "replacedBy">): boolean =>
  firstLinkId !== null || replacedBy !== null;

/** Returns the reference of the link that has paid the order of a link, if one has. Both it and the first link of its chain are locked. */
export function payerOfOrder(locked: LinkRow[], link: LinkRow): string | null {
  const first = link.firstLinkId === null ? link : locked.find(({ id }) => id === link.firstLinkId);
  if (!first) throw new Error(`the first link of the chain of ${link.reference} is not locked`);
  return first.orderPaidBy ?? (link.status === "success" ? link.reference : null);
}

/**
 * Stores in the first link of a chain that `paid` has paid the order. Expires the link of the chain that can still be paid, and returns it.
 * From now on, all money that arrives for the order is a duplicate. The caller has locked the first link and appends the
 * event. Locks: the pending link.
 */
export async function payOrder(tx: Tx, paid: LinkRow): Promise<LinkRow | undefined> {
  const { merchantId, reference } = paid;
  const firstId = paid.firstLinkId ?? paid.id;
  await tx
    .update(paymentLinks)
    .set({ orderPaidBy: reference })
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, firstId)));
  const [expired] = await tx
    .update(paymentLinks)
    // Not `now()`, because the transaction may have begun before the link was created and then waited for its lock.
    .set({ status: "expired", expiresAt: sql`least(${paymentLinks.expiresAt}, ${await databaseTime(tx)}::timestamptz)` })
    // By an expression, so that the planner does not read all pending links of the merchant.
    .where(
      and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.firstLinkId, firstId), sql`${paymentLinks.status}::text = 'pending'`),
    )
    .returning();
  return expired;
}
