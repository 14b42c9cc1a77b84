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
export { createPaymentLink } from "./create-payment-link.ts";
export { expireDueLinks } from "./expire-links.ts";
export { findLinks } from "./find-links.ts";
export { listPaymentLinks, readLinksWithin } from "./list-links.ts";
export { listReturnedTransfers, type ReturnedTransfer } from "./list-returned-transfers.ts";
export type { PaymentLink } from "./payment-link.ts";
export { presentPaymentLink, presentTimelineEntry } from "./present.ts";
export { findPayerView, getLinkByReference, type PayerView } from "./read-links.ts";
export { readTimeline, readTimelineForMember } from "./read-timeline.ts";
export { recordActivity } from "./record-activity.ts";
export { returnOwedTransfers } from "./return-transfers.ts";
export { PAYER_SIMULATIONS, simulateAsPayer } from "./simulate-as-payer.ts";
export { retryNotices, takeNotice } from "./take-notice.ts";
export { simulateExpiry, simulateTransfer } from "./test-mode.ts";
export { ACTIVITY_KINDS, type TimelineEntry } from "./timeline-entry.ts";
