import type { products, purchaseExceptions, purchases } from "#db/schema/vtu.ts";

export type PurchaseRow = typeof purchases.$inferSelect;
export type ProductRow = typeof products.$inferSelect;
export type PurchaseException = typeof purchaseExceptions.$inferSelect;

export type PurchaseStatus = PurchaseRow["status"];
export const PURCHASE_STATUSES = ["processing", "success", "failed", "reversed"] as const satisfies readonly PurchaseStatus[];

export const SERVICES = ["airtime", "data", "cable", "electricity", "exam"] as const satisfies readonly PurchaseRow["service"][];
