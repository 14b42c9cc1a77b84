import type { purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { type Money, money } from "#lib/money.ts";
import type { Order } from "#providers/aggregator.ts";
import { openSecrets, type Secrets } from "./delivery.ts";

export type PurchaseRow = typeof purchases.$inferSelect;
type ExceptionRow = typeof purchaseExceptions.$inferSelect;

export type PurchaseStatus = PurchaseRow["status"];

/** What became of an order. `id` is also our reference. */
export interface Purchase
  extends Pick<
    PurchaseRow,
    | ("merchantId" | "id" | "service" | "status" | "productId" | "productName" | "recipient" | "variant" | "quantity" | "units")
    | ("failureReason" | "createdAt" | "completedAt")
  > {
  /** Naira, as quoted when it was bought. */
  amount: Money;
  /** Naira that is back in the wallet. */
  refunded: Money;
  /** Whether tokens or pins were delivered. */
  hasSecrets: boolean;
}

/** A purchase with what its buyer keys in. */
export interface OpenPurchase extends Purchase {
  secrets: Secrets;
}

/** A purchase that its aggregator has not decided. */
export interface StuckPurchase extends Purchase {
  provider: string;
  /** How often the aggregator was asked what became of it. */
  attempts: number;
}

export function purchaseFromRow(row: PurchaseRow): Purchase {
  const { merchantId, id, service, status, productId, productName, recipient, variant, quantity, units } = row;
  return {
    ...{ merchantId, id, service, status, productId, productName, recipient, variant, quantity, units },
    ...{ failureReason: row.failureReason, createdAt: row.createdAt, completedAt: row.completedAt },
    amount: money(row.amount, "NGN"),
    refunded: money(status === "processing" ? 0n : row.amount - row.charged, "NGN"),
    hasSecrets: row.secrets !== null,
  };
}

/** Throws `CannotOpen`. */
export const openPurchaseFromRow = (row: PurchaseRow): OpenPurchase => ({ ...purchaseFromRow(row), secrets: openSecrets(row) });

/** The aggregator changed its word on a purchase that was final. */
export interface PurchaseException extends Pick<ExceptionRow, "merchantId" | "purchaseId" | "kind" | "reason" | "createdAt"> {
  /** Naira charged again (`late_success`) or given back (`reversal`). */
  amount: Money;
}

export const exceptionFromRow = ({ merchantId, purchaseId, kind, reason, createdAt, amount }: ExceptionRow): PurchaseException => ({
  ...{ merchantId, purchaseId, kind, reason, createdAt },
  amount: money(amount, "NGN"),
});

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
