import { describeTransaction } from "#app/(dashboard)/_page/describe.ts";
import type { TransactionRow } from "#components/transactions/transactions-list.tsx";
import type { Transaction } from "#services/transactions/index.ts";

const KINDS: Record<Transaction["kind"], string> = {
  payment_link: "Payment link",
  card_operation: "Card money",
  card_spend: "Card spend",
  purchase: "Top-up",
};

/** Returns what a list of transactions shows of one. `base` is the path of the mode. */
export function toTransactionRow(transaction: Transaction, base: string): TransactionRow {
  const { id, kind, amount, createdAt } = transaction;
  return {
    ...describeTransaction(transaction, base),
    ...{ id, kind: KINDS[kind], amount: amount.minor > 0n ? amount : null, moved: movedBy(transaction), createdAt },
  };
}

/** Returns where the money of a transaction went, or null if none has moved or all of it is back. */
function movedBy({ state, direction }: Transaction): TransactionRow["moved"] {
  if (state !== "completed") return null;
  return direction === "credit" ? "in" : "out";
}
