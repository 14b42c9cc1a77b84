import { describeTransaction, KIND_WORDS } from "#app/(dashboard)/_page/describe.ts";
import type { TransactionRow } from "#components/transactions/transactions-list.tsx";
import type { Transaction } from "#services/transactions/index.ts";

/** Returns what a list of transactions shows of one. `base` is the path of the mode. */
export function toTransactionRow(transaction: Transaction, base: string): TransactionRow {
  const { id, kind, amount, createdAt } = transaction;
  return {
    ...describeTransaction(transaction, base),
    ...{ id, kind: KIND_WORDS[kind], amount: amount.minor > 0n ? amount : null, moved: movedBy(transaction), createdAt },
  };
}

/** Returns whether a transaction took or gave money, or null if no money has moved or all of it came back. */
function movedBy({ state, direction }: Transaction): TransactionRow["moved"] {
  if (state !== "completed") return null;
  return direction === "credit" ? "in" : "out";
}
