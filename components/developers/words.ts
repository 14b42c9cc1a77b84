import type { Permission } from "#services/api-keys/contract.ts";
import type { EVENT_TYPES } from "#services/events/contract.ts";

/** The types of events, for people. */
export const EVENT_WORDS: Record<(typeof EVENT_TYPES)[number], string> = {
  "checkout.success": "Payment link paid",
  "checkout.expired": "Payment link expired",
  "checkout.transfer_rejected": "Transfer sent back",
  "checkout.transfer_recalled": "Payment taken back by the bank",
  "cardholder.kyc_approved": "Cardholder approved",
  "cardholder.kyc_rejected": "Cardholder refused",
  "card.issued": "Card issued",
  "card.failed": "Card not issued",
  "card.funded": "Card funded",
  "card.unloaded": "Card unloaded",
  "card.frozen": "Card frozen",
  "card.unfrozen": "Card unfrozen",
  "card.terminated": "Card terminated",
  "card.transaction": "Card spend",
  "vtu.success": "Top-up delivered",
  "vtu.failed": "Top-up failed",
  "vtu.reversed": "Top-up returned",
  "checkout.refund_paid": "Refund paid",
  "checkout.refund_failed": "Refund failed",
  "checkout.refund_reversed": "Refund came back",
  "payout.paid": "Payout paid",
  "payout.failed": "Payout failed",
  "payout.reversed": "Payout came back",
};

/** The permissions of keys, for people. */
export const PERMISSION_WORDS: Record<Permission, string> = {
  "checkout:read": "See payment links",
  "checkout:write": "Create payment links",
  "cards:read": "See cards and cardholders",
  "cards:write": "Issue, fund, freeze and end cards",
  "cards:reveal": "See whole card numbers",
  "vtu:read": "See top-ups",
  "vtu:write": "Buy top-ups",
  "wallet:read": "See the wallet, bank accounts and payouts",
  "payouts:write": "Pay money out to your bank accounts",
  "refunds:write": "Refund payments",
  "events:read": "Read events",
  "webhooks:read": "See webhooks and deliveries",
  "webhooks:write": "Change webhooks, and send again",
  "test:write": "Play customers, banks and shops",
};
