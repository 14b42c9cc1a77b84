import type { AlertType } from "../alerts/index.ts";
import type { Role } from "../context.ts";
import { type Topic, topicsOf } from "./contract.ts";

export const TOPIC_OF_ALERT: Record<AlertType, Topic> = {
  "api_key.ending": "developers",
  "bank_account.decided": "wallet",
  "bulk_order.paused": "returns",
  "card.blocked": "cards",
  "card_spend.waiting": "cards",
  "checkout.return_untold": "returns",
  "checkout.transfer_recalled": "returns",
  "checkout.transfer_returned": "returns",
  "exchange_rate.ending": "cards",
  "payout.failed": "wallet",
  "payout.reversed": "wallet",
  "payout.undecided": "wallet",
  "payout.waiting": "wallet",
  "refund.failed": "returns",
  "refund.reversed": "returns",
  "refund.undecided": "returns",
  "refund.waiting": "returns",
  "vtu.reversed": "returns",
  "vtu.undecided": "returns",
  "wallet.below_limit": "wallet",
  "wallet.debt": "wallet",
  "webhook_endpoint.disabled": "developers",
  "webhook_endpoint.failing": "developers",
};

/** Returns the types of alerts that a role may see: those of its topics. */
export function alertTypesOf(role: Role): AlertType[] {
  const topics = topicsOf(role);
  return (Object.keys(TOPIC_OF_ALERT) as AlertType[]).filter((type) => topics.includes(TOPIC_OF_ALERT[type]));
}
