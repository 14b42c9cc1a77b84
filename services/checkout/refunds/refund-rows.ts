import { and, eq, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { paymentLinks } from "#db/schema/checkout.ts";
import { refunds } from "#db/schema/refunds.ts";
import type { LinkRow } from "../payment-link.ts";
import type { RefundRow } from "../refund.ts";
import { lockLink } from "../rows.ts";

export type RefundKey = Pick<RefundRow, "merchantId" | "id">;

export const isRefund = ({ merchantId, id }: RefundKey) => and(eq(refunds.merchantId, merchantId), eq(refunds.id, id));

export async function findRefundRow(key: RefundKey, reader: Tx | Database = db()): Promise<RefundRow | undefined> {
  const [row] = await reader.select().from(refunds).where(isRefund(key));
  return row;
}

/** Locks the link of a refund, and then the refund, until the transaction ends. Returns undefined for an unknown refund. */
export async function lockRefund(tx: Tx, key: RefundKey): Promise<{ link: LinkRow; refund: RefundRow } | undefined> {
  const seen = await findRefundRow(key, tx);
  if (!seen) return undefined;
  const link = await lockLink(tx, key.merchantId, seen.linkId);
  const [refund] = await tx.select().from(refunds).where(isRefund(key)).for("update");
  return refund && { link, refund };
}

/** Changes the sums of a link's refunds by kobo. The caller has locked the link. */
export async function addToLink(
  tx: Tx,
  { merchantId, linkId }: Pick<RefundRow, "merchantId" | "linkId">,
  { refunded = 0n, refunding = 0n }: { refunded?: bigint; refunding?: bigint },
): Promise<void> {
  await tx
    .update(paymentLinks)
    .set({
      refundedAmount: sql`${paymentLinks.refundedAmount} + ${String(refunded)}::text::bigint`,
      refundingAmount: sql`${paymentLinks.refundingAmount} + ${String(refunding)}::text::bigint`,
    })
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)));
}
