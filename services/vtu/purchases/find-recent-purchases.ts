import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import type { TenantContext } from "../../context.ts";
import { readSkus } from "../catalogue/products.ts";

/** A recent purchase: its recipient, its goods and its reference. */
export interface RecentPurchase {
  id: string;
  recipient: string;
  sku: string;
  productId: number;
  /** Kobo. */
  unitPrice: bigint;
}

/** Returns the purchases for any of these recipients within the time, newest first, without those that were refunded. */
export async function findRecentPurchases(
  tx: Tx,
  { merchant }: TenantContext,
  recipients: string[],
  withinMs: number,
): Promise<RecentPurchase[]> {
  const rows = await tx.execute<{ id: string; recipient: string; sku: string | null; product_id: number; unit_price: bigint }>(sql`
    select id, recipient, sku, product_id, unit_price from purchases
    where merchant_id = ${merchant.id} and recipient = any(${sql.param(recipients)}::text[])
      and created_at > now() - ${withinMs} * interval '1 ms' and status in ('processing', 'success')
    order by created_at desc, id desc`);
  // Purchases of earlier versions have no SKU in their row.
  const without = rows.filter(({ sku }) => sku === null).map((row) => ({ productId: row.product_id, amount: row.unit_price }));
  const skus = await readSkus(tx, without);
  return rows.map(({ id, recipient, sku, product_id: productId, unit_price: amount }) => ({
    ...{ id, recipient, productId, unitPrice: amount },
    sku: sku ?? skus({ productId, amount }),
  }));
}
