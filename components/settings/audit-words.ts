/** What each audited act did, for a sentence that begins with its author: "Ada Obi created an API key". */
const ACTS: Record<string, string> = {
  "api_key.changed": "changed an API key",
  "api_key.created": "created an API key",
  "api_key.resumed": "let a paused API key work again",
  "api_key.revoked": "revoked an API key",
  "api_key.rolled": "rolled an API key",
  "api_key.secret_replaced": "gave an API key a new secret",
  "area.requested": "asked for an area",
  "balance_limit.changed": "changed the balance to be alerted at",
  "bank_account.added": "added a bank account",
  "bank_account.approved": "agreed to a bank account",
  "bank_account.refused": "refused a bank account",
  "bank_account.removed": "removed a bank account",
  "payout.settled": "decided about a payout that its bank left open",
  "payout_fee.set": "set the fee of payouts",
  "payout_limits.set": "set the limits of payouts",
  "payout_request.declined": "declined a payout that waited for a second person",
  "payout_request.made": "asked a second person for a payout",
  "payout_request.withdrawn": "withdrew a payout that waited for a second person",
  "payout_rules.changed": "changed the rules for payouts",
  "payment.recalled": "noted that a bank took a payment back",
  "refund.account_confirmed": "agreed to the account of a refund",
  "refund.cancelled": "cancelled a refund",
  "refund.settled": "decided about a refund that its bank left open",
  "brand.changed": "changed the brand",
  "area.disabled": "switched an area off",
  "area.enabled": "switched an area on",
  "business.created": "opened the business",
  "business.name_approved": "agreed to the new name of the business",
  "business.name_refused": "refused the new name of the business",
  "business.name_requested": "asked for a new name of the business",
  "business.renamed": "changed the name of the business",
  "merchant.resumed": "ended the suspension",
  "merchant.suspended": "suspended the business",
  "card.block_resolved": "decided about a blocked card",
  "card.details_requested": "read the number of a card",
  "card_operation.settled": "decided about a card's money",
  "card_operation.rechecks_stopped": "stopped the re-checks of a card's operation",
  "purchase.settled": "decided about a top-up that its provider left open",
  "cardholder.decided": "decided about an identity",
  "embed_origins.changed": "changed who may frame the payment page",
  "fee_rule.set": "set a fee",
  "invitation.declined": "declined an invitation",
  "invitation.made": "invited somebody",
  "invitation.sent_again": "sent an invitation again",
  "invitation.withdrawn": "withdrew an invitation",
  "member.joined": "joined the team",
  "member.left": "left the team",
  "member.made_owner": "made a member an owner",
  "member.removed": "removed a member",
  "member.role_changed": "changed a role",
  "member.changes_denied": "said that somebody else was in the account",
  "member.two_factor_removed": "removed the own two-step sign-in by a mail",
  "member.two_factor_reset": "asked to reset a member's two-step sign-in",
  "fallback_banks.set": "chose the banks to fall back on",
  "live.unlocked": "opened live mode",
  "provider.bound": "chose a provider",
  "purchase.tokens_viewed": "read the tokens or pins of a top-up",
  "purchase_exceptions.seen": "marked exceptions as seen",
  "rate.set": "set an exchange rate",
  "suspense.returned": "returned money that belonged to nobody",
  "two_factor_rule.changed": "changed the rule about two-step sign-in",
  "webhook_endpoint.changed": "changed a webhook endpoint",
  "webhook_endpoint.created": "created a webhook endpoint",
  "webhook_endpoint.deleted": "deleted a webhook endpoint",
  "webhook_secret.added": "gave a webhook endpoint a new secret",
};

/** Returns what an act did, without its author. An act of a later version has its name. */
export const wordsOfAct = (action: string): string => ACTS[action] ?? action.replaceAll(/[._]/g, " ");

/** Returns what an act did, as a sentence without its author: "Created an API key". */
export const auditSentence = (action: string): string => {
  const words = wordsOfAct(action);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

/** The areas of the service. */
export const AREA_WORDS = { checkout: "Payment links", cards: "Cards", vtu: "Top-ups" } as const;

/** The changed fields, where their names alone do not say it. */
const FIELDS: Record<string, string> = {
  allowed_ips: "Addresses that may use it",
  areas: "Switched on in test mode",
  disabled_endpoints: "Webhook endpoints switched off",
  embed_origins: "Sites that may show your payment page",
  event_types: "Events",
  expires_at: "Ends",
  handed_over_to: "Ownership given to",
  naira: "Alert below",
  overlap_hours: "Hours that the old one works beside it",
  changes_since: "Changes since",
  paused_invitations: "Invitations stopped",
  paused_keys: "API keys paused",
  permissions: "What it may do",
  replaced_by: "New key",
  requested_name: "Name asked for",
  required_since: "Two-step sign-in needed since",
  secret_id: "New secret",
  status: "State",
  stopped_bulk_orders: "Files of top-ups stopped",
  url_changed: "Another address",
};

/** Returns the name of a changed field. A field of a later version has its own name. */
export const wordsOfField = (field: string): string => FIELDS[field] ?? field.replaceAll("_", " ");

/** The areas of the log, in the words of its filter. */
export const AUDIT_AREA_WORDS = {
  team: "Team",
  business: "Business and brand",
  keys: "API keys",
  webhooks: "Webhooks",
  money: "Money",
  secrets: "Secrets that were read",
  service: "Providers and identities",
} as const;
