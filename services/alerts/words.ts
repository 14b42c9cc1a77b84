import type { AlertType } from "./contract.ts";

/** The page of a payout. An automatic payout that was not made has none: its alert is about the merchant. */
const payoutPath = (id: string) => (id.startsWith("po_") ? `/wallet/payouts/${id}` : "/wallet/payouts");

/** The page of the link, which shows its refunds. */
const linkPath = (reference: string) => `/links/${reference}`;

/** For each type of alert: a short title, and the page that it links to, below the path of the mode. */
export const ALERT_WORDS: Record<AlertType, { title: string; pathOf: (resourceId: string) => string }> = {
  "api_key.ending": { title: "An API key ends soon", pathOf: (id) => `/developers/keys/${id}` },
  "bank_account.decided": { title: "A bank account was decided", pathOf: () => "/wallet/accounts" },
  "bulk_order.paused": { title: "A file of top-ups has stopped", pathOf: (id) => `/top-ups/bulk/${id}` },
  "card.blocked": { title: "A card is blocked", pathOf: (id) => `/cards/${id}` },
  "card_spend.waiting": { title: "Money of a terminated card waits", pathOf: (id) => `/cards/${id}` },
  "checkout.return_untold": { title: "Money did not pay its link", pathOf: (reference) => `/links/${reference}` },
  "checkout.transfer_recalled": { title: "The bank took a payment back", pathOf: (reference) => `/links/${reference}` },
  "checkout.transfer_returned": { title: "A transfer did not pay its link", pathOf: (reference) => `/links/${reference}` },
  "exchange_rate.ending": { title: "Your exchange rate ends soon", pathOf: () => "/settings/fees" },
  "payout.failed": { title: "A payout failed", pathOf: payoutPath },
  "payout.reversed": { title: "A payout came back", pathOf: payoutPath },
  "payout.undecided": { title: "A payout is not decided", pathOf: payoutPath },
  "payout.waiting": { title: "A payout waits for a second person", pathOf: () => "/wallet/payouts" },
  "refund.failed": { title: "A refund failed", pathOf: linkPath },
  "refund.reversed": { title: "A refund came back", pathOf: linkPath },
  "refund.undecided": { title: "A refund is not decided", pathOf: linkPath },
  "refund.waiting": { title: "A refund waits for an owner", pathOf: linkPath },
  "vtu.reversed": { title: "A top-up was taken back", pathOf: (id) => `/top-ups/${id}` },
  "vtu.undecided": { title: "A top-up is not decided", pathOf: (id) => `/top-ups/${id}` },
  "wallet.below_limit": { title: "Your balance is low", pathOf: () => "/wallet" },
  "wallet.debt": { title: "Your wallet could not cover something", pathOf: () => "/wallet#owed" },
  "webhook_endpoint.disabled": { title: "A webhook endpoint was switched off", pathOf: (id) => `/developers/webhooks/${id}` },
  "webhook_endpoint.failing": { title: "A webhook endpoint fails", pathOf: (id) => `/developers/webhooks/${id}` },
};
