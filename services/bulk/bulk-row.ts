import type { bulkOrders, bulkRows } from "#db/schema/bulk.ts";

export type BulkOrderRow = typeof bulkOrders.$inferSelect;
export type BulkRow = typeof bulkRows.$inferSelect;

/** A row of a file that is being stored. */
export type NewRow = Pick<
  BulkRow,
  "row" | "status" | "cells" | "message" | "recipient" | "productId" | "productName" | "network" | "variant" | "amount"
>;
