export { createPaymentLink } from "./create-payment-link.ts";
export { expireDueLinks } from "./expire-links.ts";
export { listPaymentLinks } from "./list-links.ts";
export type { PaymentLink } from "./payment-link.ts";
export { findPayerView, getLinkByReference, type PayerView } from "./read-links.ts";
export { returnOwedTransfers } from "./return-transfers.ts";
export {
  CreatePaymentLink,
  ListPaymentLinksQuery,
  PaymentLinkAnswer,
  PaymentLinkList,
  presentPaymentLink,
  SimulateTransfer,
  StatusQuery,
} from "./schemas.ts";
export { retryNotices, takeNotice } from "./take-notice.ts";
export { simulateExpiry, simulateTransfer } from "./test-mode.ts";
