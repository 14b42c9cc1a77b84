import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { createdAt, id, madeBy, moment, reachedMoment } from "./columns.ts";
import { vtuService } from "./vtu.ts";

export const bulkOrderStatus = pgEnum("bulk_order_status", ["draft", "running", "paused", "done", "cancelled"]);
export const bulkRowStatus = pgEnum("bulk_row_status", ["ready", "invalid", "duplicate", "bought", "skipped"]);

export type BulkPauseReason =
  | ("stopped" | "price_changed" | "insufficient_balance" | "merchant_suspended" | "permission_lost" | "service_not_enabled")
  | ("product_unavailable" | "duplicate_purchase" | "provider_unavailable" | "refused");

/** A file of purchases that a member confirms once. The worker buys its rows one after another. */
export const bulkOrders = pgTable(
  "bulk_orders",
  {
    merchantId: id(),
    id: id(),
    service: vtuService().notNull(),
    status: bulkOrderStatus().notNull().default("draft"),
    /** While paused: the obstacle, in one word and as a sentence, and the row at which it was met. */
    pauseReason: text().$type<BulkPauseReason>(),
    pauseMessage: text(),
    pausedRow: integer(),
    madeBy: madeBy(),
    /** The member as whom the worker buys: who confirmed or, later, who resumed. */
    buyerId: text(),
    /** Fencing token: each lease of a worker increments it. */
    fencingToken: integer().notNull().default(0),
    /** When a worker next works on the order while it is running. */
    lockedUntil: reachedMoment().notNull(),
    createdAt: createdAt(),
    confirmedAt: moment(),
    completedAt: moment(),
  },
  (t) => [
    primaryKey({ name: "bulk_orders_pkey", columns: [t.merchantId, t.id] }),
    // The only index without the merchant in front: the worker looks for due orders of all merchants.
    index("bulk_orders_due").on(t.lockedUntil).where(sql`${t.status} = 'running'`),
    // Drafts are counted per merchant, and deleted across merchants when they are old. There are few.
    index("bulk_orders_not_bought").on(t.merchantId, t.createdAt).where(sql`${t.confirmedAt} is null`),
    check("bulk_orders_pause_has_reason", sql`(${t.status} = 'paused') = (${t.pauseReason} is not null and ${t.pauseMessage} is not null)`),
    check("bulk_orders_confirmed_by_a_member", sql`(${t.confirmedAt} is null) = (${t.buyerId} is null)`),
    check("bulk_orders_running_is_confirmed", sql`${t.status} in ('draft', 'cancelled') or ${t.confirmedAt} is not null`),
    check("bulk_orders_over_has_time", sql`(${t.status} in ('done', 'cancelled')) = (${t.completedAt} is not null)`),
  ],
);

/** One line of the file. */
export const bulkRows = pgTable(
  "bulk_rows",
  {
    merchantId: id(),
    bulkOrderId: id(),
    /** The number of the line in a spreadsheet: the header is 1. */
    row: integer().notNull(),
    status: bulkRowStatus().notNull(),
    /** The cells as they were written, by the file's own column names. */
    cells: jsonb().$type<Record<string, string>>().notNull(),
    /** Why an invalid row cannot be bought. */
    message: text(),
    /** The recipient of the later purchase; null in an invalid row. */
    recipient: text(),
    productId: integer(),
    productName: text(),
    network: text(),
    variant: text(),
    /** Kobo: the price that the purchase expects. */
    amount: bigint({ mode: "bigint" }),
    /** What the row repeats: `row N`, or the reference of a purchase or of another bulk order. */
    duplicateOf: text(),
    /** Whether a member chose to buy the duplicate. */
    allowDuplicate: boolean().notNull().default(false),
    /** Stored before the purchase itself. So after a crash, this id tells whether the purchase exists. */
    purchaseId: text(),
  },
  (t) => [
    primaryKey({ name: "bulk_rows_pkey", columns: [t.merchantId, t.bulkOrderId, t.row] }),
    uniqueIndex("bulk_rows_one_purchase_each").on(t.merchantId, t.purchaseId).where(sql`${t.purchaseId} is not null`),
    index("bulk_rows_waiting").on(t.merchantId, t.recipient).where(sql`${t.status} = 'ready'`),
    foreignKey({
      name: "bulk_rows_of_an_order",
      columns: [t.merchantId, t.bulkOrderId],
      foreignColumns: [bulkOrders.merchantId, bulkOrders.id],
    }),
    check("bulk_rows_invalid_has_message", sql`(${t.status} = 'invalid') = (${t.message} is not null)`),
    check(
      "bulk_rows_valid_has_product",
      sql`(${t.status} = 'invalid') = (${t.productId} is null) and (${t.productId} is null) = (${t.recipient} is null) and (${t.productId} is null) = (${t.productName} is null)
        and (${t.productId} is null) = (${t.amount} is null) and coalesce(${t.amount}, 1) > 0`,
    ),
    check(
      "bulk_rows_duplicate_of_something",
      sql`${t.status} <> 'duplicate' or (${t.duplicateOf} is not null and not ${t.allowDuplicate})`,
    ),
    check("bulk_rows_bought_has_purchase", sql`${t.status} <> 'bought' or ${t.purchaseId} is not null`),
  ],
);
