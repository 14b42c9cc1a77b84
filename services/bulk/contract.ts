import { z } from "zod";
import { nairaBetween } from "../fields.ts";
import { PageQuery } from "../page-query.ts";
import { PURCHASE_STATUSES } from "../vtu/contract.ts";

export const MAX_ROWS = 500;

/** Of the file. */
export const MAX_FILE_BYTES = 256 * 1024;

/** 500 rows of the dearest product. */
const MAX_TOTAL = MAX_ROWS * 10_000_000;

/** `failed`: bought, and the money came back. */
const ROW_STATUSES = ["ready", "invalid", "duplicate", "bought", "failed", "skipped"] as const;

const PAUSE_REASONS = [
  "stopped",
  "price_changed",
  "insufficient_balance",
  "merchant_suspended",
  "permission_lost",
  "service_not_enabled",
  "product_unavailable",
  "duplicate_purchase",
  "provider_unavailable",
  "refused",
] as const;

export type PauseReason = (typeof PAUSE_REASONS)[number];

export type BulkRowStatus = (typeof ROW_STATUSES)[number];

/** The text of a CSV file. */
export const BulkFile = z.string();

export const BulkOrderParams = z.object({ id: z.string() });

const rowNumbers = z
  .array(z.int("Send row numbers.").min(1, "Send row numbers."), { error: "Send a list of row numbers." })
  .max(MAX_ROWS, `Send at most ${MAX_ROWS} row numbers.`)
  .default([]);

/** The terms on which a draft is confirmed, or a paused order resumed. */
export const BulkOrderTerms = z
  .strictObject({
    expected_total: nairaBetween(0, MAX_TOTAL).meta({
      description: "What the rows to buy cost together now, in Naira. Where they cost anything else nothing is bought: `PRICE_CHANGED`.",
    }),
    duplicate_rows: rowNumbers.meta({ description: "Duplicates to buy nevertheless. The others are left out." }),
    skip_rows: rowNumbers.meta({ description: "Rows to leave out." }),
  })
  .meta({ id: "BulkOrderTerms" });

export type BulkOrderTerms = z.output<typeof BulkOrderTerms>;

export const ListBulkOrdersQuery = PageQuery;

export type ListBulkOrdersQuery = z.output<typeof ListBulkOrdersQuery>;

export const ListBulkRowsQuery = z.object({
  after: z.coerce
    .number({ error: "Send a row number." })
    .int("Send a row number.")
    .min(0, "Send a row number.")
    .max(1_000_000, "Send a row number.")
    .default(0)
    .meta({ description: "Rows after this number." }),
  limit: z.coerce
    .number({ error: `Send a whole number from 1 to ${MAX_ROWS}.` })
    .int(`Send a whole number from 1 to ${MAX_ROWS}.`)
    .min(1, "Send at least 1.")
    .max(MAX_ROWS, `Send at most ${MAX_ROWS}.`)
    .default(100),
  status: z.enum(ROW_STATUSES, { error: `Send one of ${ROW_STATUSES.join(", ")}.` }).optional(),
});

export type ListBulkRowsQuery = z.output<typeof ListBulkRowsQuery>;

const count = z.number().int();

export const BulkOrderObject = z
  .object({
    id: z.string().meta({ example: "blk_01KAF3YQW5A8Q6ZJ4K1S2T3V4W" }),
    service: z.enum(["airtime", "data", "cable", "electricity"]),
    status: z.enum(["draft", "running", "paused", "done", "cancelled"]),
    pause: z.object({ reason: z.enum(PAUSE_REASONS), message: z.string(), row: z.number().int().nullable() }).nullable(),
    rows: z.object({
      ...{ total: count, ready: count, invalid: count, duplicate: count, bought: count, failed: count, skipped: count },
      processing: count.meta({ description: "Of those bought: not decided yet." }),
    }),
    to_buy: z.number().meta({ description: "Naira: what the ready rows cost now, without duplicates." }),
    spent: z.number().meta({ description: "Naira: what was bought, less what came back." }),
    currency: z.literal("NGN"),
    created_at: z.iso.datetime(),
    confirmed_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "BulkOrder" });

export const BulkRowObject = z
  .object({
    row: z.number().int().meta({ description: "The line in a spreadsheet; the header is 1." }),
    status: z.enum(ROW_STATUSES),
    message: z.string().nullable().meta({ description: "For people: why the row cannot be bought, or why its purchase failed." }),
    cells: z.record(z.string(), z.string()).meta({ description: "As written in the file." }),
    recipient: z.string().nullable(),
    product: z.string().nullable(),
    product_id: z.number().int().nullable(),
    network: z.string().nullable(),
    variant: z.string().nullable(),
    amount: z.number().nullable().meta({ description: "Naira: the price that the row expects." }),
    present_amount: z.number().nullable().meta({ description: "Naira: what it costs now. Null where it is not sold now." }),
    duplicate_of: z.string().nullable().meta({ description: "`row 2`, or the reference of a purchase or bulk order." }),
    allow_duplicate: z.boolean(),
    reference: z.string().nullable().meta({ description: "Of the purchase." }),
    purchase_status: z.enum(PURCHASE_STATUSES).nullable(),
    refunded: z.number().nullable().meta({ description: "Naira that came back." }),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "BulkRow" });
