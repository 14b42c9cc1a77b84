export { ListTransactionsQuery, TRANSACTION_STATES, type TransactionState } from "./contract.ts";
export { listTransactions } from "./list-transactions.ts";
export type { Transaction } from "./transaction.ts";
