export { checkBanks } from "./bank-health.ts";
export {
  CreatePaymentLink,
  CreateRefund,
  GiveRefundAccountForm,
  ListPaymentLinksQuery,
  ListRefundsQuery,
  MAX_LINK,
  MIN_LINK,
  NameRefundAccountForm,
  PaymentLinkAnswer,
  PaymentLinkList,
  REFUND,
  RefundAnswer,
  RefundList,
  RefundParams,
  SimulateTransfer,
  StatusQuery,
  Timeline,
} from "./contract.ts";
export { createPaymentLink } from "./links/create-payment-link.ts";
export { expireDueLinks } from "./links/expire-links.ts";
export { findLinks } from "./links/find-links.ts";
export { listPaymentLinks, readLinksWithin } from "./links/list-links.ts";
export { findPayerView, getLinkByReference, type PayerView } from "./links/read-links.ts";
export { readTimeline, readTimelineForMember } from "./links/read-timeline.ts";
export { recordActivity } from "./links/record-activity.ts";
export type { PaymentLink } from "./payment-link.ts";
export { presentPaymentLink, presentRefund, presentTimelineEntry } from "./present.ts";
export type { Refund, RefundStatus } from "./refund.ts";
export { alertOnUndecidedRefunds } from "./refunds/alert-on-undecided.ts";
export { createRefund } from "./refunds/create-refund.ts";
export { cancelRefund, confirmRefundAccount } from "./refunds/decide-account.ts";
export { endExpiredRefunds } from "./refunds/end-waiting.ts";
export {
  findRefundOfLink,
  giveRefundAccount,
  listBanksForRefund,
  nameRefundAccount,
  readCandidate,
} from "./refunds/give-account.ts";
export { findRefunds, getRefund, listRefunds, listRefundsOfLink, readRefundsWithin } from "./refunds/list-refunds.ts";
export { findRefundWay, type RefundWay } from "./refunds/refund-way.ts";
export { receiveHintOfRefund, receiveHintOfRefunds, resolveDueRefunds } from "./refunds/resolve-refunds.ts";
export { listStuckRefunds, settleRefundByOperator } from "./refunds/settle-by-operator.ts";
export { explainDifference } from "./statements/explain-difference.ts";
export { findBankDay, listBankDays, listDifferences } from "./statements/list-days.ts";
export { readStatements } from "./statements/read-statements.ts";
export { ACTIVITY_KINDS, type TimelineEntry } from "./timeline-entry.ts";
export { findMerchantOfTransfer } from "./transfers/find-merchant-of-transfer.ts";
export { listReturnedTransfers, type ReturnedTransfer } from "./transfers/list-returned-transfers.ts";
export { readDueAccounts } from "./transfers/read-accounts.ts";
export { receiveNotice } from "./transfers/receive-notice.ts";
export { recordRecall } from "./transfers/record-recall.ts";
export { returnOwedTransfers } from "./transfers/return-transfers.ts";
export { settleReturn } from "./transfers/settle-return.ts";
export { PAYER_SIMULATIONS, simulateAsPayer } from "./transfers/simulate-as-payer.ts";
export { retryNotices } from "./transfers/take-notice.ts";
export { simulateExpiry, simulateTransfer } from "./transfers/test-mode.ts";
