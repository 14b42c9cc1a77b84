export { openLedger, RECEIVABLE, SETTLEMENT_BANK, SUSPENSE, WALLET } from "./accounts.ts";
export { creditWallet } from "./credit-wallet.ts";
export { mustPost, postTransfers, type Transfer, type TransferResult } from "./post-transfers.ts";
export { presentWallet, presentWalletTransaction, WalletObject, WalletTransactionObject } from "./schemas.ts";
export { getWallet, listWalletTransactions } from "./wallet.ts";
