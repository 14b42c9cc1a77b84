import type { purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { type Money, money } from "#lib/money.ts";
import type { Order } from "#providers/aggregator.ts";
import { type Actor, actorOf } from "../context.ts";
import type { Secrets } from "./delivery.ts";

export type PurchaseRow = typeof purchases.$inferSelect;
type ExceptionRow = typeof purchaseExceptions.$inferSelect;

export type PurchaseStatus = PurchaseRow["status"];

/** An order of a product, and its outcome. `id` is also our reference. */
export interface Purchase
  extends Pick<
    PurchaseRow,
    | ("merchantId" | "id" | "service" | "status" | "productId" | "productName" | "recipient" | "variant" | "quantity" | "units")
    | ("metadata" | "failureReason" | "createdAt" | "completedAt")
  > {
  /** Naira, as quoted when it was bought. */
  amount: Money;
  /** Naira that is back in the wallet. */
  refunded: Money;
  /** Whether tokens or pins were delivered. */
  hasSecrets: boolean;
  madeBy: Actor;
}

/** A purchase with its tokens and pins, as far as its reader may see them. */
export interface VisiblePurchase extends Purchase {
  /** `withheld`: the reader may not see them here. `unavailable`: they were sealed under another key, or were changed. */
  secrets: Secrets | "withheld" | "unavailable";
}

/** A purchase whose outcome is not known yet. */
export interface StuckPurchase extends Purchase {
  provider: string;
  /** How often the worker has read its outcome from the aggregator. */
  attempts: number;
}

export function purchaseFromRow(row: PurchaseRow): Purchase {
  const { merchantId, id, service, status, productId, productName, recipient, variant, quantity, units } = row;
  return {
    ...{ merchantId, id, service, status, productId, productName, recipient, variant, quantity, units },
    ...{ metadata: row.metadata, failureReason: row.failureReason, createdAt: row.createdAt, completedAt: row.completedAt },
    amount: money(row.amount, "NGN"),
    refunded: money(status === "processing" ? 0n : row.amount - row.charged, "NGN"),
    hasSecrets: row.secrets !== null,
    madeBy: actorOf(row.madeBy),
  };
}

/** The aggregator changed the outcome of a final purchase. */
export interface PurchaseException extends Pick<ExceptionRow, "merchantId" | "purchaseId" | "kind" | "reason" | "createdAt"> {
  /** Naira charged again (`late_success`) or given back (`reversal`). For `ignored`: the difference, which did not move. */
  amount: Money;
}

export const exceptionFromRow = ({ merchantId, purchaseId, kind, reason, createdAt, amount }: ExceptionRow): PurchaseException => ({
  ...{ merchantId, purchaseId, kind, reason, createdAt },
  amount: money(amount, "NGN"),
});

/** Returns the order as adapters take it, to buy the purchase and to read it. */
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
