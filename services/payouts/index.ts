export { addBankAccount } from "./accounts/add-account.ts";
export { decideBankAccount } from "./accounts/decide-account.ts";
export { isNameOf } from "./accounts/is-name-of.ts";
export { getBankAccount, listAccountsToDecide, listBankAccounts } from "./accounts/list-accounts.ts";
export { listBanks, listBanksAt } from "./accounts/list-banks.ts";
export { nameBankAccount, readAccountName } from "./accounts/name-account.ts";
export { findAccountOfLink, removeBankAccount, removeBankAccountByLink } from "./accounts/remove-account.ts";
export { stopPayoutWorkOf } from "./accounts/stop-work-of.ts";
export { type BankAccount, maskedNumber } from "./bank-account.ts";
export {
  BankAccountObject,
  BankAccountParams,
  BankObject,
  CreatePayout,
  ListPayoutsQuery,
  MIN_PAYOUT,
  NameBankAccount,
  NamedBankAccount,
  NEW_BANK_ACCOUNT,
  PAYOUT_OF_MEMBER,
  PAYOUT_RULES,
  PayoutObject,
  PayoutParams,
  PayoutQuoteObject,
  PayoutQuoteQuery,
  PayoutRequestObject,
  PayoutRequestParams,
  PayoutRulesObject,
  REQUEST_OF_MEMBER,
  RemovalLinkForm,
  RemovedBankAccount,
} from "./contract.ts";
export { alertOnUndecidedPayouts } from "./paying/alert-on-undecided.ts";
export { requireWithinBank } from "./paying/claim-payout.ts";
export { createPayout } from "./paying/create-payout.ts";
export { findPayouts, getPayout, listPayouts, readPayoutsWithin } from "./paying/list-payouts.ts";
export { payOutAutomatically } from "./paying/pay-automatically.ts";
export { getPayoutRoom, quotePayout } from "./paying/quote.ts";
export { receivePayoutHint } from "./paying/receive-hint.ts";
export { requireRoomForRefund } from "./paying/require-room-for-refund.ts";
export { resolveDuePayouts } from "./paying/resolve.ts";
export { listStuckPayouts, settlePayoutByOperator } from "./paying/settle-by-operator.ts";
export type { Payout, PayoutStatus } from "./payout.ts";
export { idOfReference } from "./payout.ts";
export type { PayoutRules } from "./payout-rules.ts";
export { presentBankAccount, presentPayout, presentPayoutQuote, presentPayoutRequest, presentPayoutRules } from "./present.ts";
export { approvePayout, declinePayout, getPayoutRequest, listOpenRequests, requestPayout } from "./requests/request-payout.ts";
export { type LockedMerchant, lockMerchant } from "./rows.ts";
export { getPayoutFee, type PayoutFee, setPayoutFee } from "./rules/fees.ts";
export { type PayoutLimits, readLimits, setPayoutLimits } from "./rules/limits.ts";
export { getPayoutRules } from "./rules/read-rules.ts";
export { setPayoutRules } from "./rules/set-rules.ts";
