import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import type { PurchaseStatus } from "../vtu/index.ts";
import type { BulkRow as StoredRow } from "./bulk-row.ts";
import type { BulkRowStatus } from "./contract.ts";
import { getBulkOrder } from "./read-bulk-orders.ts";
import { rowsWithPurchases } from "./rows-with-purchases.ts";

/** A row of a bulk order with the state of its purchase. It has no tokens: those are read one purchase at a time. */
export interface BulkRow
  extends Pick<
    StoredRow,
    "row" | "cells" | "message" | "recipient" | "productId" | "productName" | "network" | "variant" | "duplicateOf" | "allowDuplicate"
  > {
  status: BulkRowStatus;
  amount: Money | null;
  /** The present price; null if the product is no longer sold. */
  presentAmount: Money | null;
  purchase: { id: string; status: PurchaseStatus; refunded: Money; completedAt: Date | null } | null;
}

interface RawRow {
  row: number;
  cells: Record<string, string>;
  status: BulkRowStatus;
  message: string | null;
  recipient: string | null;
  product_id: number | null;
  product_name: string | null;
  network: string | null;
  variant: string | null;
  amount: bigint | null;
  present_amount: bigint | null;
  duplicate_of: string | null;
  allow_duplicate: boolean;
  purchase_id: string | null;
  purchase_status: PurchaseStatus | null;
  refunded: bigint | null;
  completed_at: string | null;
}

/** Returns rows in the file's order, and the number of the last one if more follow, otherwise null. Throws RESOURCE_NOT_FOUND. */
export async function listBulkRows(
  ctx: MerchantContext,
  id: string,
  { after, limit, status }: { after: number; limit: number; status?: BulkRowStatus },
): Promise<{ rows: BulkRow[]; nextAfter: number | null }> {
  await getBulkOrder(ctx, id);
  const query = sql();
  const found = await query<RawRow[]>`
    select * from (${rowsWithPurchases(query, ctx.merchant.id, query`r.bulk_order_id = ${id} and r.row > ${after}`)}) t
    ${status ? query`where t.status = ${status}` : query``} order by t.row limit ${limit + 1}`;
  const rows = found.slice(0, limit).map(toRow);
  return { rows, nextAfter: found.length > limit ? (rows.at(-1)?.row ?? null) : null };
}

/** Yields every row of a bulk order in the file's order, for a file of results. Throws RESOURCE_NOT_FOUND. */
export async function* streamBulkRows(ctx: MerchantContext, id: string): AsyncGenerator<BulkRow> {
  for (let after: number | null = 0; after !== null; ) {
    const page: Awaited<ReturnType<typeof listBulkRows>> = await listBulkRows(ctx, id, { after, limit: 100 });
    yield* page.rows;
    after = page.nextAfter;
  }
}

const naira = (minor: bigint | null) => (minor === null ? null : money(BigInt(minor), "NGN"));

function toRow(raw: RawRow): BulkRow {
  const { row, cells, status, message, recipient, network, variant } = raw;
  return {
    ...{ row, cells, status, message, recipient, network, variant },
    productId: raw.product_id,
    productName: raw.product_name,
    duplicateOf: raw.duplicate_of,
    allowDuplicate: raw.allow_duplicate,
    amount: naira(raw.amount),
    presentAmount: naira(raw.present_amount),
    purchase:
      raw.purchase_id === null || raw.purchase_status === null
        ? null
        : {
            id: raw.purchase_id,
            status: raw.purchase_status,
            refunded: money(BigInt(raw.refunded ?? 0n), "NGN"),
            completedAt: raw.completed_at === null ? null : new Date(raw.completed_at),
          },
  };
}
