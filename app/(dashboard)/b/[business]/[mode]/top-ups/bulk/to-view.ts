import type { BulkOrderView } from "#components/bulk/bulk-order.tsx";
import type { BulkOrderRow } from "#components/bulk/bulk-orders.tsx";
import type { BulkRowView } from "#components/bulk/bulk-rows.tsx";
import { BULK_ROW_STATES, PURCHASE_STATES } from "#components/page/states.tsx";
import { recipientText } from "#components/top-ups/numbers.ts";
import { type BulkOrder, type BulkRow, typedRecipient } from "#services/bulk/index.ts";
import type { ChoiceRow } from "./[id]/buy-form.tsx";

const SERVICES: Record<BulkOrder["service"], string> = {
  airtime: "airtime",
  data: "data",
  cable: "cable TV",
  electricity: "light",
  exam: "exam pins",
};

/** Returns what a file buys: `50 × airtime`. */
export const titleOf = ({ counts, service }: BulkOrder): string => `${counts.total} × ${SERVICES[service]}`;

export const toBulkOrderRow = (order: BulkOrder, path: string): BulkOrderRow => ({
  id: order.id,
  href: `${path}/${order.id}`,
  title: titleOf(order),
  status: order.status,
  progress: progressOf(order),
  amount: order.status === "draft" ? order.toBuy : order.spent,
  createdAt: order.createdAt,
});

/** Returns how far a file has come, in words. Rows without any are left out. */
export function progressOf({ counts, status }: BulkOrder): string {
  const parts: [count: number, words: string][] = [
    [counts.bought, "bought"],
    [counts.processing, "under way"],
    [counts.failed, "failed"],
    [counts.ready, status === "cancelled" ? "not bought" : "to buy"],
    [counts.duplicate, counts.duplicate === 1 ? "duplicate" : "duplicates"],
    [counts.invalid, "cannot be bought"],
    [counts.skipped, "left out"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(", ");
}

/** Returns what a row repeats: an earlier line, a purchase of the last 24 hours, or a row of another file. */
export function wordsOfDuplicate({ duplicateOf }: Pick<BulkRow, "duplicateOf">): string {
  const [, line] = /^row (\d+)$/.exec(duplicateOf ?? "") ?? [];
  if (line) return `The same as line ${line}.`;
  return duplicateOf?.startsWith("blk_") ? "Another file that is not finished buys this too." : "You bought this within the last 24 hours.";
}

/** Returns what a list shows of a row. A row with a mistake is named by the number that the file has in it. */
export function toBulkRowView(row: BulkRow, topUps: string): BulkRowView {
  const { purchase, status } = row;
  return {
    row: row.row,
    href: purchase ? `${topUps}/${purchase.id}` : undefined,
    recipient: row.recipient === null ? typedRecipient(row.cells) || "No number" : recipientText(row.recipient),
    product: row.productName,
    state: purchase ? PURCHASE_STATES[purchase.status] : BULK_ROW_STATES[status],
    message: row.message ?? (status === "duplicate" ? wordsOfDuplicate(row) : null),
    amount: row.amount,
  };
}

/** Returns what the page of a file shows of it. */
export const toBulkOrderView = (order: BulkOrder): BulkOrderView => {
  const { counts, status, toBuy, spent, pauseMessage, createdAt } = order;
  return {
    ...{ title: titleOf(order), status, progress: progressOf(order), toBuy, spent, createdAt },
    done: counts.total - counts.ready - counts.processing,
    total: counts.total,
    pause: status === "paused" ? pauseMessage : null,
  };
};

/** Returns a row that a member decides about, with its present price. */
export const toChoice = ({ row, recipient, productName, amount, presentAmount }: BulkRow, why: string): ChoiceRow => ({
  ...{ row, why, text: `${productName ?? "Top-up"} for ${recipient === null ? "no number" : recipientText(recipient)}` },
  amount: String((presentAmount ?? amount)?.minor ?? 0n),
});
