import type { z } from "zod";
import { type Money, toMajorNumber } from "#lib/money.ts";
import { isoOrNull } from "#lib/time.ts";
import type { BulkOrderObject, BulkRowObject } from "./contract.ts";
import type { BulkRow } from "./list-bulk-rows.ts";
import type { BulkOrder } from "./read-bulk-orders.ts";

/** Returns the dashboard's object of a bulk order. */
export function presentBulkOrder(order: BulkOrder): z.output<typeof BulkOrderObject> {
  const { id, service, status, pauseReason: reason, pauseMessage: message, pausedRow: row, counts } = order;
  if (service === "exam") throw new Error("bulk orders have no exam pins");
  return {
    ...{ id, service, status, rows: counts },
    pause: reason === null || message === null ? null : { reason, message, row },
    to_buy: toMajorNumber(order.toBuy),
    spent: toMajorNumber(order.spent),
    currency: "NGN",
    created_at: order.createdAt.toISOString(),
    confirmed_at: isoOrNull(order.confirmedAt),
    completed_at: isoOrNull(order.completedAt),
  };
}

const majorOrNull = (amount: Money | null | undefined) => (amount ? toMajorNumber(amount) : null);

/** Returns the dashboard's object of a row, without tokens. */
export function presentBulkRow({ purchase, productId, productName, ...row }: BulkRow): z.output<typeof BulkRowObject> {
  return {
    ...{ row: row.row, status: row.status, message: row.message, cells: row.cells, recipient: row.recipient },
    ...{ product: productName, product_id: productId, network: row.network, variant: row.variant },
    amount: majorOrNull(row.amount),
    present_amount: majorOrNull(row.presentAmount),
    duplicate_of: row.duplicateOf,
    allow_duplicate: row.allowDuplicate,
    reference: purchase?.id ?? null,
    purchase_status: purchase?.status ?? null,
    refunded: majorOrNull(purchase?.refunded),
    completed_at: isoOrNull(purchase?.completedAt ?? null),
  };
}
