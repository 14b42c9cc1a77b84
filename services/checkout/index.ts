export { checkBanks } from "./bank-health.ts";
export {
  CreatePaymentLink,
  ListPaymentLinksQuery,
  MAX_LINK,
  MIN_LINK,
  PaymentLinkAnswer,
  PaymentLinkList,
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
export { presentPaymentLink, presentTimelineEntry } from "./present.ts";
export { explainDifference } from "./statements/explain-difference.ts";
export { findBankDay, listBankDays, listDifferences } from "./statements/list-days.ts";
export { readStatements } from "./statements/read-statements.ts";
export { ACTIVITY_KINDS, type TimelineEntry } from "./timeline-entry.ts";
export { listReturnedTransfers, type ReturnedTransfer } from "./transfers/list-returned-transfers.ts";
export { readDueAccounts } from "./transfers/read-accounts.ts";
export { receiveNotice } from "./transfers/receive-notice.ts";
export { returnOwedTransfers } from "./transfers/return-transfers.ts";
export { settleReturn } from "./transfers/settle-return.ts";
export { PAYER_SIMULATIONS, simulateAsPayer } from "./transfers/simulate-as-payer.ts";
export { retryNotices } from "./transfers/take-notice.ts";
export { simulateExpiry, simulateTransfer } from "./transfers/test-mode.ts";
