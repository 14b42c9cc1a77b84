import type { products, purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { money } from "#lib/money.ts";
import type { Order } from "#providers/aggregator.ts";

export type PurchaseRow = typeof purchases.$inferSelect;
export type ProductRow = typeof products.$inferSelect;
export type PurchaseException = typeof purchaseExceptions.$inferSelect;

export type PurchaseStatus = PurchaseRow["status"];
export const PURCHASE_STATUSES = ["processing", "success", "failed", "reversed"] as const satisfies readonly PurchaseStatus[];

export const SERVICES = ["airtime", "data", "cable", "electricity", "exam"] as const satisfies readonly PurchaseRow["service"][];

/** A purchase as its aggregator is asked for it, and about it. */
export function orderOf({ id, service, createdAt, productCode, recipient, variant, amount, quantity, customer }: PurchaseRow): Order {
  return {
    reference: id,
    service,
    createdAt,
    productCode,
    recipient,
    variant,
    amount: money(amount, "NGN"),
    quantity,
    customerPhone: customer.phone ?? null,
  };
}
