import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { databaseTime } from "#db/database-time.ts";
import { paymentLinks } from "#db/schema/checkout.ts";
import type { LinkRow } from "./payment-link.ts";
import { findLinkId, lockLink } from "./rows.ts";

/** The links of a chain that are followed from a replaced link. In live mode, a chain of so many is ten hours old. */
export const MAX_REPLACEMENTS_FOLLOWED = 20;

/**
 * Expires the replacement of a link that is paid late, and returns it, so that its payer does not pay the same order again. Where the
 * replacement has expired and was replaced itself, follows the chain to its pending link. Ends its time now, so that money which the bank
 * takes later is late; money that the bank has taken before still pays it. Returns undefined where no link of the chain is pending. A
 * replacement that is paid already stays paid, as the late link does: both credits are real, and the merchant decides about the second.
 * Expects the lock of `paid`. Locks: each link of the chain after the link that it replaces. The caller appends the event.
 */
export async function expireReplacement(tx: Tx, paid: LinkRow): Promise<LinkRow | undefined> {
  const { merchantId } = paid;
  let next = paid.replacedBy;
  for (let followed = 0; next !== null && followed < MAX_REPLACEMENTS_FOLLOWED; followed += 1) {
    const linkId = await findLinkId(tx, merchantId, next);
    if (linkId === undefined) throw new Error(`there is no link ${next} of ${merchantId}`);
    const link = await lockLink(tx, merchantId, linkId);
    if (link.status === "pending") return expireNow(tx, link);
    if (link.status === "success") return undefined;
    next = link.replacedBy;
  }
  return undefined;
}

/** The link's row is locked, and its status is pending. */
async function expireNow(tx: Tx, { merchantId, id }: LinkRow): Promise<LinkRow | undefined> {
  const [expired] = await tx
    .update(paymentLinks)
    // Not `now()`: the transaction may have begun before the link was created, and waited for it.
    .set({ status: "expired", expiresAt: sql`least(${paymentLinks.expiresAt}, ${await databaseTime(tx)}::timestamptz)` })
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, id)))
    .returning();
  return expired;
}
