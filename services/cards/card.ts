import type { cardholders, cardOperations, cards } from "#db/schema/cards.ts";
import type { cardTransactions } from "#db/schema/spend.ts";
import type { Money } from "#lib/money.ts";

export type CardRow = typeof cards.$inferSelect;
export type CardholderRow = typeof cardholders.$inferSelect;
export type OperationRow = typeof cardOperations.$inferSelect;
export type TransactionRow = typeof cardTransactions.$inferSelect;

export interface Card extends CardRow {
  /** What can be spent: US dollars. */
  balance: Money;
}

/** An operation, with what its card has to spend now. */
export interface CardOperation extends OperationRow {
  cardBalance: Money;
}
