import type { z } from "zod";
import { toMajorNumber } from "#lib/money.ts";
import { isoOrNull } from "#lib/time.ts";
import type { BulkOrderObject } from "./contract.ts";
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
