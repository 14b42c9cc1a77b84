export { buyDueBulkRows } from "./buy-due-rows.ts";
export { typedAmount } from "./check-rows.ts";
export { typedCell, typedRecipient } from "./columns.ts";
export {
  BulkFile,
  BulkOrderObject,
  BulkOrderParams,
  BulkOrderTerms,
  MAX_FILE_BYTES,
  MAX_ROWS,
} from "./contract.ts";
export { type BulkRow, listBulkRows, streamBulkRows } from "./list-bulk-rows.ts";
export { presentBulkOrder } from "./present.ts";
export { purgeOldBulkDrafts } from "./purge-drafts.ts";
export { type BulkOrder, getBulkOrder, listBulkOrders } from "./read-bulk-orders.ts";
export { confirmBulkOrder, resumeBulkOrder } from "./start-bulk-order.ts";
export { cancelBulkOrder, stopBulkOrder } from "./stop-bulk-order.ts";
export { stopOrdersOf } from "./stop-orders-of.ts";
export { uploadBulkOrder } from "./upload-bulk-order.ts";
