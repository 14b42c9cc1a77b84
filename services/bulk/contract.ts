import { z } from "zod";
import { nairaBetween } from "../fields.ts";

export const MAX_ROWS = 500;

/** The largest file. */
export const MAX_FILE_BYTES = 256 * 1024;

/** 500 rows of the dearest product. */
const MAX_TOTAL = MAX_ROWS * 10_000_000;

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

/** `failed`: bought, and the money came back. */
export type BulkRowStatus = "ready" | "invalid" | "duplicate" | "bought" | "failed" | "skipped";

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
