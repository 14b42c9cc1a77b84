export {
  cardAccount,
  FX_NGN,
  FX_USD,
  findCardBalance,
  openCardAccount,
  openLedger,
  RECEIVABLE,
  REVENUE_FEES,
  REVENUE_PAYOUTS,
  REVENUE_SPREAD,
  SETTLEMENT_BANK,
  SETTLEMENT_ISSUER,
  SETTLEMENT_VTU,
  SUSPENSE,
  SUSPENSE_ISSUER,
  WALLET,
} from "./accounts.ts";
export { alertOnLowBalances } from "./alert-on-low-balances.ts";
export { findBalanceLimit, setBalanceLimit } from "./balance-limit.ts";
export {
  BalanceLimit,
  BalanceLimitObject,
  ListWalletTransactionsQuery,
  StatementQuery,
  WalletObject,
  WalletTransactionObject,
} from "./contract.ts";
export { hledgerJournal } from "./export-hledger.ts";
export { findWalletPostings } from "./find-wallet-postings.ts";
export { findWalletTransaction } from "./find-wallet-transaction.ts";
export { holdKeyOf } from "./hold-key.ts";
export { holdOrRefuse } from "./hold-or-refuse.ts";
export { type DebtEntry, listDebts } from "./list-debts.ts";
export { type Hold, listHolds } from "./list-holds.ts";
export { type EntryRow, listWalletTransactions, type WalletTransaction } from "./list-wallet-transactions.ts";
export { mustPost, postTransfers, type Transfer, type TransferResult, toRequest } from "./post-transfers.ts";
export { presentWallet, presentWalletTransaction } from "./present.ts";
export { ADJUSTMENT, type Related } from "./purpose.ts";
export { listStatementMonths, readStatement, type Statement } from "./read-statement.ts";
export { type StatementSums, sumStatement } from "./sum-statement.ts";
export { getWallet, type Wallet } from "./wallet.ts";
export { walletCredit } from "./wallet-credit.ts";
