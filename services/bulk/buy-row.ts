import { sql, transaction } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { type ErrorCode, Problem } from "#lib/problem.ts";
import { newPurchaseId } from "#lib/references.ts";
import type { MerchantContext } from "../context.ts";
import { claimKey, recordAnswer, recordUnknown, releaseClaim } from "../idempotency/index.ts";
import { mayRole, readMembership } from "../members/index.ts";
import { buyProduct, type PurchaseRequest } from "../vtu/index.ts";
import type { BulkOrderRow, BulkRow } from "./bulk-row.ts";
import type { PauseReason } from "./contract.ts";
import { beginRow, type LeasedOrder } from "./lease.ts";
import { keyOf, SCOPE } from "./row-key.ts";
import { adoptPurchases } from "./supersede-row-leases.ts";

/** The reason why an order cannot continue. */
export interface Obstacle {
  reason: PauseReason;
  message: string;
}

/** `lost`: the order was stopped, or another worker buys this row. */
type RowOutcome = { status: "bought" } | { status: "lost" } | { status: "obstacle"; obstacle: Obstacle };

/** The body hash of every row. It is constant, because the key already names the row, and a retry may have another accepted price. */
const BODY_HASH = "bulk row";

/**
 * Buys one row under the Idempotency-Key of its order and number, as the member who confirmed. The id of the purchase is chosen with the
 * key and stored in the row before the purchase is, so any retry finds the purchase. A superseded lease stores no purchase.
 */
export async function buyRow(order: LeasedOrder, row: BulkRow): Promise<RowOutcome> {
  if (row.purchaseId !== null && (await isBoughtAlready(order, row))) return { status: "bought" };
  const buyer = await findBuyer(order);
  if ("reason" in buyer) return { status: "obstacle", obstacle: buyer };
  const claim = { merchantId: order.merchantId, scope: SCOPE, key: keyOf(order.id, row.row), bodyHash: BODY_HASH };
  const claimed = await claimKey(claim, () => newPurchaseId(buyer.merchant.number)).catch(lostIfInProgress);
  if (claimed === "lost") return { status: "lost" };
  const { resourceId } = claimed;
  if (claimed.status === "replay") {
    return (await beginRow(order, row.row, resourceId)) && (await isBoughtAlready(order, row)) ? { status: "bought" } : { status: "lost" };
  }
  const { lease } = claimed;
  try {
    // The key is claimed before the order is checked here, and Stop locks the order before it supersedes claims. So one sees the other.
    if (!(await beginRow(order, row.row, resourceId))) {
      await recordUnknown(lease);
      return { status: "lost" };
    }
    const purchase = await buyProduct({ ...buyer, resourceId, lease, resumed: true }, requestOf(order, row));
    await markBought(row, purchase.id, purchase.amount.minor);
    await recordAnswer(lease, 200);
    return { status: "bought" };
  } catch (error) {
    if (error instanceof Problem && error.outcome === "not_executed") {
      // Refused before a purchase was stored. The ledger keeps the refusal under this id, so the next attempt needs another id.
      await releaseClaim(lease);
      return { status: "obstacle", obstacle: { reason: REASON_OF[error.code] ?? "refused", message: error.message } };
    }
    await recordUnknown(lease);
    if (error instanceof Problem && error.code === "REQUEST_IN_PROGRESS") return { status: "lost" };
    throw error;
  }
}

const REASON_OF: Partial<Record<ErrorCode, PauseReason>> = {
  PRICE_CHANGED: "price_changed",
  INSUFFICIENT_BALANCE: "insufficient_balance",
  PRODUCT_UNAVAILABLE: "product_unavailable",
  DUPLICATE_PURCHASE: "duplicate_purchase",
  PROVIDER_UNAVAILABLE: "provider_unavailable",
};

function lostIfInProgress(error: unknown): "lost" {
  if (error instanceof Problem && error.code === "REQUEST_IN_PROGRESS") return "lost";
  throw error;
}

/**
 * Returns the context of the member who confirmed, or why that member may not buy now. It has the one permission and names no role, so tokens stay sealed and no
 * view is noted: the member does not read what the worker buys.
 */
async function findBuyer({ buyerId, merchantId }: BulkOrderRow): Promise<MerchantContext | Obstacle> {
  if (buyerId === null) throw new Error("a running bulk order has no buyer");
  const membership = await readMembership(buyerId, merchantId);
  if (!membership)
    return { reason: "permission_lost", message: "The member who confirmed the order does not belong to the business any more." };
  const { merchant, role } = membership;
  if (merchant.status === "suspended") return { reason: "merchant_suspended", message: "The account is suspended. Write to support." };
  if (!merchant.areas.includes("vtu")) return { reason: "service_not_enabled", message: "Top-ups are not enabled for this account." };
  const { permission } = buyProduct.needs;
  if (!mayRole(role, permission, merchant.mode)) {
    return { reason: "permission_lost", message: `The member who confirmed the order is ${role} now, and may not buy.` };
  }
  return { merchant, actor: { type: "member", id: buyerId }, permissions: [permission], requestId: null, address: null };
}

async function isBoughtAlready(order: BulkOrderRow, { row }: BulkRow): Promise<boolean> {
  await transaction((tx) => adoptPurchases(tx, order));
  const [bought] = await sql()`
    select 1 from bulk_rows where merchant_id = ${order.merchantId} and bulk_order_id = ${order.id} and row = ${row} and status = 'bought'`;
  return bought !== undefined;
}

async function markBought({ merchantId, bulkOrderId, row }: BulkRow, purchaseId: string, amount: bigint): Promise<void> {
  await sql()`
    update bulk_rows set status = 'bought', amount = ${amount}
    where merchant_id = ${merchantId} and bulk_order_id = ${bulkOrderId} and row = ${row} and purchase_id = ${purchaseId} and status = 'ready'`;
}

function requestOf(
  { service }: BulkOrderRow,
  { recipient, productId, network, variant, amount: minor, allowDuplicate }: BulkRow,
): PurchaseRequest {
  if (recipient === null || productId === null || minor === null) throw new Error("a ready row without recipient, product or amount");
  const amount = money(minor, "NGN");
  const common = { expectedPrice: amount, allowDuplicate };
  switch (service) {
    case "airtime":
      return { ...common, service, network: network ?? "", variant: variant ?? "VTU", phone: recipient, amount };
    case "data":
      return { ...common, service, productId, phone: recipient };
    case "cable":
      return { ...common, service, productId, smartCardNumber: recipient, customer: {} };
    case "electricity":
      return { ...common, service, productId, meterNumber: recipient, meterType: variant ?? "", amount, customer: {} };
    case "exam":
      throw new Error("bulk orders have no exam pins");
  }
}
