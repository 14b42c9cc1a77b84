/** All types of events. */
export const EVENT_TYPES = [
  "checkout.success",
  "checkout.expired",
  "checkout.transfer_rejected",
  "checkout.transfer_recalled",
  "checkout.refund_paid",
  "checkout.refund_failed",
  "checkout.refund_reversed",
  "cardholder.kyc_approved",
  "cardholder.kyc_rejected",
  "card.issued",
  "card.failed",
  "card.funded",
  "card.unloaded",
  "card.frozen",
  "card.unfrozen",
  "card.terminated",
  "card.transaction",
  "vtu.success",
  "vtu.failed",
  "vtu.reversed",
  "payout.paid",
  "payout.failed",
  "payout.reversed",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
