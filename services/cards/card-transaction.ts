import type { cardTransactions } from "#db/schema/spend.ts";
import { type Money, money } from "#lib/money.ts";

export type TransactionRow = typeof cardTransactions.$inferSelect;

/** Spend on a card, as its issuer lists it. */
export interface CardTransaction
  extends Pick<
    TransactionRow,
    | ("merchantId" | "cardId" | "id" | "type" | "status" | "merchantName" | "categoryCode" | "city" | "country" | "declineReason")
    | ("relatedTransactionId" | "occurredAt")
  > {
  /** US dollars. */
  amount: Money;
}

const GIVES_BACK: readonly CardTransaction["type"][] = ["REVERSAL", "REFUND"];

/** Returns whether a transaction gives money to its card, or takes it. */
export const directionOf = ({ type }: Pick<CardTransaction, "type">): "credit" | "debit" =>
  GIVES_BACK.includes(type) ? "credit" : "debit";

export function transactionFromRow(row: TransactionRow): CardTransaction {
  const { merchantId, cardId, id, type, status, merchantName, categoryCode, city, country } = row;
  return {
    ...{ merchantId, cardId, id, type, status, merchantName, categoryCode, city, country },
    ...{ declineReason: row.declineReason, relatedTransactionId: row.relatedTransactionId, occurredAt: row.occurredAt },
    amount: money(row.amount, "USD"),
  };
}
