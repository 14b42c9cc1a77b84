export { alertOnUndecidedOperations, alertOnWaitingSpend } from "./alert-on-waiting.ts";
export type { CardInList } from "./card-in-list.ts";
export type { CardOfHolder } from "./card-of-holder.ts";
export type { CardOperation } from "./card-operation.ts";
export { type CardTransaction, directionOf } from "./card-transaction.ts";
export type { Cardholder } from "./cardholder.ts";
export { type Changed, changeCard } from "./change-card.ts";
export { checkDueCardholders } from "./check-cardholders.ts";
export { alertOnDifferences, compareCards } from "./compare-cards.ts";
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
export { createCardholder } from "./create-cardholder.ts";
export { decideKyc } from "./decide-kyc.ts";
export { findCardholders } from "./find-cardholders.ts";
export { findCards } from "./find-cards.ts";
export { findOperations } from "./find-operations.ts";
export { findSpend } from "./find-spend.ts";
export { issueCard } from "./issue-card.ts";
export { listCardholders } from "./list-cardholders.ts";
export { listCards } from "./list-cards.ts";
export { listFees } from "./list-fees.ts";
export { listOperations, listOperationsOfCards, type OperationOfCard, readOperationsWithin } from "./list-operations.ts";
export { listRates } from "./list-rates.ts";
export { listCardTransactions, listSpendOfCards, readSpendWithin, type SpendOfCard } from "./list-transactions.ts";
export { fundCard, unloadCard } from "./move-money.ts";
export { presentCard, presentCardholder, presentDetails, presentOperation, presentQuote, presentTransaction } from "./present.ts";
export { quoteFunding, quoteUnload } from "./quote-operation.ts";
export { type CardWithHolder, getCardWithHolder } from "./read-card-with-holder.ts";
export { getCardholder, getCardholderByEmail } from "./read-cardholders.ts";
export { getCard } from "./read-cards.ts";
export { getOperation, getOperationOf } from "./read-operations.ts";
export { receiveHint } from "./receive-hint.ts";
export { releaseExpiredAuthorizations } from "./release-expired.ts";
export { renameCard } from "./rename-card.ts";
export { resolveBlock } from "./resolve-block.ts";
export { type Resolution, resolveItem } from "./resolve-item.ts";
export { recheckLostOperations, resolveDueOperations } from "./resolve-operations.ts";
export { revealDetails } from "./reveal-details.ts";
export { setFeeRule } from "./set-fee-rule.ts";
export { settleByOperator } from "./settle-by-operator.ts";
export { getSimulated, simulatedReference, simulateSpend } from "./simulate-spend.ts";
export { stopRechecks } from "./stop-rechecks.ts";
export { syncDueCards } from "./sync-cards.ts";
