import type { Column } from "#app/_exports/csv.ts";
import { describeTransaction, KIND_WORDS } from "#app/(dashboard)/_page/describe.ts";
import type { Transaction } from "#services/transactions/index.ts";

const described = (transaction: Transaction) => describeTransaction(transaction, "");

export const columns: Column<Transaction>[] = [
  ["Time", ({ createdAt }) => createdAt],
  ["Id", ({ id }) => id],
  ["Kind", ({ kind }) => KIND_WORDS[kind]],
  ["What", (transaction) => described(transaction).title],
  ["For", (transaction) => described(transaction).detail],
  ["State", (transaction) => described(transaction).state.word],
  ["Direction", ({ direction }) => direction],
  ["Amount", ({ amount }) => amount.minor],
  ["Currency", ({ amount }) => amount.currency],
];
