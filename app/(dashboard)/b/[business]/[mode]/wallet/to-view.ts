import type { EntryRow } from "#components/wallet/entries-table.tsx";
import type { Reason } from "#components/wallet/reasons.tsx";
import { wordsOfEntry, wordsOfHold } from "#components/wallet/words.ts";
import type { DebtEntry, Hold, Related, WalletTransaction } from "#services/ledger/index.ts";

/** Returns the page of the thing that moved money, or undefined where it has none. `base` is the path of the mode. */
export function hrefOf(related: Related | null, base: string): string | undefined {
  switch (related?.type) {
    case "payment_link":
    case "refund":
      return related.reference === null ? undefined : `${base}/links/${related.reference}`;
    case "card":
    case "card_operation":
    case "card_transaction":
      return related.cardId === null ? undefined : `${base}/cards/${related.cardId}`;
    case "payout":
      return `${base}/wallet/payouts/${related.id}`;
    case "purchase":
      return `${base}/top-ups/${related.id}`;
    case undefined:
      return undefined;
  }
}

/** Returns what the history shows of an entry. */
export const toEntryRow = (
  { id, type, related, direction, amount, balanceAfter, createdAt }: WalletTransaction,
  base: string,
): EntryRow => ({
  ...{ id, direction, amount, balanceAfter, createdAt },
  href: hrefOf(related, base),
  text: wordsOfEntry(type, direction),
  reference: related?.reference ?? related?.id ?? null,
});

/** Returns why money is held. */
export const toHoldReason = ({ id, type, related, amount, createdAt }: Hold, base: string): Reason => ({
  ...{ id, amount, at: createdAt },
  text: wordsOfHold(type),
  href: hrefOf(related, base),
});

/** Returns why money is owed. */
export const toDebtReason = ({ id, type, related, amount, createdAt }: DebtEntry, base: string): Reason => ({
  ...{ id, amount, at: createdAt },
  text: wordsOfEntry(type, "debit"),
  href: hrefOf(related, base),
});

const SHOWN_REASONS = 5;

/** Returns the newest items, and whether there are more. */
export const newestOf = <Item>(items: readonly Item[], hasMore = false) => ({
  newest: items.slice(0, SHOWN_REASONS),
  hasMore: hasMore || items.length > SHOWN_REASONS,
});
