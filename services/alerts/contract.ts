import { z } from "zod";

const ALERT_TYPES = [
  "api_key.ending",
  "bank_account.decided",
  "bulk_order.paused",
  "card.blocked",
  "card_spend.waiting",
  "checkout.return_untold",
  "checkout.transfer_recalled",
  "checkout.transfer_returned",
  "exchange_rate.ending",
  "payout.failed",
  "payout.reversed",
  "payout.undecided",
  "payout.waiting",
  "refund.failed",
  "refund.reversed",
  "refund.undecided",
  "refund.waiting",
  "vtu.reversed",
  "vtu.undecided",
  "wallet.below_limit",
  "wallet.debt",
  "webhook_endpoint.disabled",
  "webhook_endpoint.failing",
] as const;

export type AlertType = (typeof ALERT_TYPES)[number];

/** The alerts of operators. `npm run oja -- alerts` lists them. */
export type OperatorAlertType =
  | "bank_notice.contradicts"
  | "bank_account.not_found"
  | "bank_account.not_ours"
  | "bank_account.unclear"
  | "bank_account.unread"
  | "bank_notice.failing"
  | "bank_notice.quarantined"
  | "bank_return.failed"
  | "bank_return.unconfirmed"
  | "bank_statement.differs"
  | "bank_statement.missing"
  | "bank_transfer.recalled"
  | "bank_transfer.unmatched"
  | "card.blocked"
  | "card.differs"
  | "invariant.broken"
  | "logs.no_week"
  | "mail.failed"
  | "notice.unreadable"
  | "card.closed_by_issuer"
  | "card_operation.corrected"
  | "card_operation.undecided"
  | "card_spend.quarantined"
  | "card_spend.waiting"
  | "cardholder.refused"
  | "exchange_rate.ending"
  | "payout.contradicted"
  | "payout.late"
  | "payout.needs_operator"
  | "payout.undecided"
  | "refund.contradicted"
  | "refund.late"
  | "refund.needs_operator"
  | "refund.undecided"
  | "proposal.failed"
  | "proposal.made"
  | "purchase.contradicted"
  | "purchase.undecided"
  | "suspense.opened"
  | "team.contested"
  | "webhook_delivery.unsettled";

/** The alert up to which a member has seen them, itself included. */
export const SeenAlerts = z.strictObject({
  up_to: z
    .string()
    .max(40, "Send the id of an alert.")
    .meta({ description: "The id of the newest alert that was shown.", example: "alt_…" }),
});

export const AlertObject = z
  .object({
    id: z.string(),
    type: z.enum(ALERT_TYPES),
    message: z.string().meta({ description: "For people." }),
    resource_id: z.string().meta({ description: "What it is about." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Alert" });
