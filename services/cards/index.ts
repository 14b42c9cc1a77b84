export type { CardInList } from "./card-in-list.ts";
export type { CardOperation } from "./card-operation.ts";
export { type CardTransaction, directionOf } from "./card-transaction.ts";
export type { Cardholder } from "./cardholder.ts";
export { checkDueCardholders } from "./cardholders/check-cardholders.ts";
export { createCardholder } from "./cardholders/create-cardholder.ts";
export { decideKyc } from "./cardholders/decide-kyc.ts";
export { findCardholders } from "./cardholders/find-cardholders.ts";
export { listCardholders } from "./cardholders/list-cardholders.ts";
export { getCardholder, getCardholderByEmail } from "./cardholders/read-cardholders.ts";
export type { CardOfHolder } from "./cards/card-of-holder.ts";
export { findCards } from "./cards/find-cards.ts";
export { listCards } from "./cards/list-cards.ts";
export { type CardWithHolder, getCardWithHolder } from "./cards/read-card-with-holder.ts";
export { getCard } from "./cards/read-cards.ts";
export { renameCard } from "./cards/rename-card.ts";
export { resolveBlock } from "./cards/resolve-block.ts";
export { revealDetails } from "./cards/reveal-details.ts";
export {
  CardDetailsObject,
  CardholderObject,
  CardholderParams,
  CardObject,
  CardOperationObject,
  CardParams,
  CardQuoteObject,
  CardTransactionObject,
  ChangeCard,
  CreateCardholder,
  FundCard,
  IssueCard,
  ListCardholdersQuery,
  ListCardsQuery,
  MAX_FUNDING,
  MIN_FUNDING,
  OperationParams,
  QuoteQuery,
  SimulateSpend,
  UnloadCard,
} from "./contract.ts";
export { findMerchantOfItem, findMerchantOfOperation } from "./find-merchant-of-card-things.ts";
export { findOperations } from "./operations/find-operations.ts";
export { type Changed, changeCard } from "./operations/freeze-and-terminate.ts";
export { fundCard, unloadCard } from "./operations/fund-and-unload.ts";
export { issueCard } from "./operations/issue-card.ts";
export { listOperations, listOperationsOfCards, type OperationOfCard, readOperationsWithin } from "./operations/list-operations.ts";
export { getOperation, getOperationOf } from "./operations/read-operations.ts";
export { recheckLostOperations, resolveDueOperations } from "./operations/resolve.ts";
export { readStateOfOperation, settleByOperator } from "./operations/settle-by-operator.ts";
export { stopRechecks } from "./operations/stop-rechecks.ts";
export { presentCard, presentCardholder, presentDetails, presentOperation, presentTransaction } from "./present.ts";
export { listFees } from "./prices/list-fees.ts";
export { listRates } from "./prices/list-rates.ts";
export { presentQuote } from "./prices/present.ts";
export { quoteFunding, quoteUnload } from "./prices/quote.ts";
export { setFeeRule } from "./prices/set-fee-rule.ts";
export { findSpend } from "./spend/find-spend.ts";
export { listCardTransactions, listSpendOfCards, readSpendWithin, type SpendOfCard } from "./spend/list-transactions.ts";
export { releaseExpiredAuthorizations } from "./spend/release-expired.ts";
export { resolveItem } from "./spend/resolve-item.ts";
export { alertOnUndecidedOperations, alertOnWaitingSpend } from "./sync/alert-on-waiting.ts";
export { alertOnDifferences, compareCards } from "./sync/compare-cards.ts";
export { receiveHint } from "./sync/receive-hint.ts";
export { getSimulated, simulatedReference, simulateSpend } from "./sync/simulate-spend.ts";
export { syncDueCards } from "./sync/sync-cards.ts";
