import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { purchases } from "#db/schema/vtu.ts";
import type { TenantContext } from "../context.ts";
import { type Purchase, purchaseFromRow } from "./purchase.ts";

/** Returns the purchases for any of these recipients within the time, newest first, without those whose money came back. */
export async function findRecentPurchases(
  tx: Tx,
  { merchant }: TenantContext,
  recipients: string[],
  withinMs: number,
): Promise<Purchase[]> {
  const rows = await tx.execute(sql`
    select * from purchases
    where merchant_id = ${merchant.id} and recipient = any(${sql.param(recipients)}::text[])
      and created_at > now() - ${withinMs} * interval '1 ms' and status in ('processing', 'success')
    order by created_at desc, id desc`);
  return rows.map((row) => purchaseFromRow(fromRow(purchases, row)));
}
